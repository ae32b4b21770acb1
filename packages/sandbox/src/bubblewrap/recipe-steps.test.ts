import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { recipeSteps } from './recipe-steps.ts';

const dockerfile = await readFile(join(import.meta.dirname, '../../../../docker/desktop/Dockerfile'), 'utf8');

it('gives what the recipe of the desktop does from a base on, in its order', () => {
  const minimal = recipeSteps(dockerfile, 'minimal');
  const commands = minimal.flatMap((step) => (step.do === 'run' ? [step.command] : []));
  expect(commands[0]).toContain('xvfb');
  expect(commands.findIndex((one) => one.includes('chromium'))).toBeLessThan(
    commands.findIndex((one) => one.includes('prewarm.sh')),
  );
  expect(minimal).toContainEqual({ do: 'copy', from: ['agent'], to: '/opt/desktop/agent', root: null });
  expect(minimal).toContainEqual({ do: 'env', name: 'LANG', value: 'C.UTF-8' });
});

it('knows what a part takes from another root', () => {
  const full = recipeSteps(dockerfile, 'full');
  const taken = full.find((step) => step.do === 'copy' && step.root !== null);
  expect(taken).toMatchObject({ root: 'wheels', from: ['/opt/python'] });
  expect(full.some((step) => step.do === 'run' && step.command.includes('thunderbird'))).toBe(true);
  expect(full).toContainEqual({ do: 'unpack', archive: 'wheels/editor.tar.gz', to: '/opt/editor/' });
  expect(recipeSteps(dockerfile, 'wheels').at(-1)).toMatchObject({ do: 'run' });
});

it('refuses an instruction that it cannot carry out, and a part that is not there', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as the recipe has it
  expect(() => recipeSteps('FROM ${BASE_IMAGE} AS one\nONBUILD RUN true', 'one')).toThrow('ONBUILD');
  expect(() => recipeSteps(dockerfile, 'none')).toThrow("no part 'none'");
});
