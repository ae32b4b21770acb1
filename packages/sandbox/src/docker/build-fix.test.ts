import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildFix } from './build-fix.ts';

describe('what to do when a build fails', () => {
  it('names the very wheel that the recipe installs', async () => {
    const recipe = await readFile(join(import.meta.dirname, '../../../../docker/desktop/Dockerfile'), 'utf8');
    const wanted = /python-pptx==[\d.]+/.exec(recipe)?.[0];
    const message = `The command '/bin/sh -c pip install --target /opt/python ${wanted}' returned a non-zero code: 1`;
    expect(buildFix(message)).toContain(`--dest docker/desktop/wheels ${wanted}`);
  });

  it('says nothing where nothing is known', () => {
    expect(buildFix('no space left on device')).toBeUndefined();
  });
});
