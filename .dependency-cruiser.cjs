const swc = require('@swc/core');

// The TypeScript compiler of this project has no JavaScript API, and the cruiser asks swc to read every file as plain TypeScript: JSX has to be allowed here.
const parseFile = swc.parseFileSync;
swc.parseFileSync = (file, options) => parseFile(file, { ...options, tsx: file.endsWith('.tsx') });

/** Who may import whom. Tests may reach further: they are left out. */
const test = '\\.test\\.tsx?$|/testing/|/test/';
const adapters = '^packages/(models|secrets|store|sandbox|telemetry|web)/';
const client = '^packages/api-client/src/';

/** A folder may import only what is listed (its own files always). */
const only = (name, from, comment, allowed, packages) => [
  {
    name: `${name}-own-code`,
    severity: 'error',
    comment,
    from: { path: from, pathNot: test },
    to: {
      path: '^(apps|packages|workflows|nodes|preparers|gates|skills|bench|scripts|tests)/',
      pathNot: [from, ...allowed],
    },
  },
  ...(packages === null
    ? []
    : [
        {
          name: `${name}-packages`,
          severity: 'error',
          comment,
          from: { path: from, pathNot: test },
          to: {
            dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'],
            pathNot: packages.map((one) => `node_modules/${one}/`),
          },
        },
      ]),
];

const spec = '^packages/spec/src/';

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'Modules that need each other cannot be understood alone.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      severity: 'error',
      comment: 'Everything imported must exist; otherwise the other rules see nothing.',
      from: {},
      to: { couldNotResolve: true },
    },
    ...only('spec', '^packages/spec/', 'The contracts stand on zod, yaml and ajv alone.', [], ['zod', 'yaml', 'ajv']),
    {
      name: 'spec-no-node',
      severity: 'error',
      comment: 'The contracts also run in the browser and in the workflow sandbox.',
      from: { path: '^packages/spec/', pathNot: test },
      to: { dependencyTypes: ['core'] },
    },
    ...only(
      'workflows',
      '^workflows/',
      'Workflow code is deterministic: contracts and the workflow SDK, never a kind.',
      [spec],
      ['@temporalio/(workflow|common)', 'zod'],
    ),
    {
      name: 'workflows-no-node',
      severity: 'error',
      comment: 'The workflow sandbox has no Node.',
      from: { path: '^workflows/', pathNot: test },
      to: { dependencyTypes: ['core'] },
    },
    ...only(
      'kinds',
      '^(nodes|preparers|gates)/',
      'Kinds get models, files and sandboxes as injected ports, never from an adapter.',
      [spec, '^(nodes|preparers|gates)/', '^packages/(content|checks|desktop|proof)/'],
      null,
    ),
    {
      name: 'kinds-no-vendors',
      severity: 'error',
      comment: 'Kinds know no engine, store, server or process.',
      from: { path: '^(nodes|preparers|gates)/', pathNot: test },
      to: {
        path: [
          'node_modules/(@temporalio|express|better-sqlite3|kysely|react)/',
          '^(node:)?(child_process|net|http|https|cluster|worker_threads)$',
        ],
      },
    },
    ...only('adapters', adapters, 'An adapter knows the contracts and its vendor, not its siblings.', [spec], null).map(
      (rule) => ({
        ...rule,
        from: { ...rule.from, path: '^packages/(models|secrets|store|sandbox|telemetry|web)/' },
        to: { ...rule.to, pathNot: ['^packages/$1/', spec] },
      }),
    ),
    ...only(
      'domain',
      '^packages/(checks|desktop|harness|dataset|training|rollouts)/',
      'Domain packages know ports, not adapters.',
      [spec],
      null,
    ),
    ...only(
      'proof',
      '^packages/proof/',
      'Proving drives desktops and evaluates checks through ports.',
      [spec, '^packages/(checks|desktop)/'],
      null,
    ),
    ...only(
      'server',
      '^apps/server/',
      'The server reaches kinds and sandboxes through the worker only.',
      [spec, '^packages/(secrets|store|package-folder|telemetry)/', '^skills/'],
      null,
    ),
    ...only(
      'cli',
      '^apps/cli/',
      'The CLI is a client of the HTTP API; of the models it knows which weights there are and where they lie.',
      [spec, client, '^packages/(checks|package-folder|secrets)/', '^packages/models/src/(weights/|local/places)'],
      null,
    ),
    ...only('studio', '^apps/studio/', 'The studio is a client of the HTTP API.', [spec, client], null),
    ...only(
      'api-client',
      '^packages/api-client/',
      'The client of the HTTP API runs in Node and in browsers.',
      [spec],
      ['zod', 'eventsource-parser'],
    ),
    {
      name: 'api-client-no-node',
      severity: 'error',
      comment: 'The client of the HTTP API runs in Node and in browsers.',
      from: { path: '^packages/api-client/', pathNot: test },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'studio-no-node',
      severity: 'error',
      comment: 'The studio runs in a browser.',
      from: { path: '^apps/studio/src/', pathNot: test },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'one-composition-root',
      severity: 'error',
      comment: 'Only the worker puts kinds, adapters and workflows together.',
      from: { path: '^(apps|packages)/', pathNot: ['^apps/worker/', test] },
      to: { path: '^(nodes|preparers|gates|workflows)/' },
    },
    {
      name: 'worker-no-apps',
      severity: 'error',
      comment: 'Apps talk over the wire.',
      from: { path: '^apps/worker/', pathNot: test },
      to: { path: '^apps/(server|studio|cli)/' },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(apps|packages)/[^/]+/dist/|^coverage/|/histories/' },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.css'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
