import type { JsonObject } from '@cua-forge/spec/json';

/** A file and a setup that go with the example specification. */
export const exampleFile: JsonObject = {
  name: 'orders.xlsx',
  mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  hash: 'a'.repeat(64),
  size: 9,
};

export const exampleScript: JsonObject = {
  script: '#!/usr/bin/env bash\nset -euo pipefail\n',
  operations: [{ op: 'place-file', file: exampleFile, path: '/home/user/Documents/orders.xlsx', mode: '0644' }],
};
