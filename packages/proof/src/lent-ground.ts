import { prepareDesktop } from '@cua-forge/desktop/prepare-desktop';
import { sandboxState } from '@cua-forge/desktop/sandbox-state';
import { ForgeError } from '@cua-forge/spec/errors';
import type { ExecuteContext } from '@cua-forge/spec/kind';
import type { Sandbox, SandboxOptions } from '@cua-forge/spec/sandbox-port';
import type { SetupTask } from '@cua-forge/spec/setup-report';
import type { Desk, Ground } from './ground.ts';
import { line } from './lines.ts';
import type { Subject } from './subject.ts';

/** Applications of the smaller image. */
const small = new Set(['libreoffice-calc', 'chromium', 'text-editor']);

/** What a package's desktop has to have. */
export const optionsFor = ({ applications }: Pick<Subject['manifest'], 'applications'>): Partial<SandboxOptions> => ({
  target: applications.every((one) => small.has(one)) ? 'minimal' : 'full',
});

/** What its operations place, by hash. Of the script they make their own: that of the package runs by itself on another day. */
function setupOf({ operations, manifest, files }: Subject): SetupTask {
  const bytes = new Map(
    manifest.files.flatMap(({ hash, path }) => {
      const found = files.get(path);
      return found === undefined ? [] : [[hash, found] as const];
    }),
  );
  return {
    operations,
    script: null,
    read: async ({ hash, name }) => {
      const found = bytes.get(hash);
      if (found !== undefined) return found;
      throw new ForgeError('input.invalid', `The setup places ${name}, but the package has no file with its content.`);
    },
  };
}

function deskOf(subject: Subject, sandbox: Sandbox): Desk {
  return {
    sandbox,
    state: sandboxState(sandbox),
    async prepare(signal) {
      const { operations } = await prepareDesktop(sandbox, setupOf(subject), { signal, again: false });
      await sandbox.waitForStill({ timeoutMs: 10_000, tolerance: 400, signal }).catch(whenRestless);
      const lines = operations.map(({ id, about, conditions }) =>
        line(
          `${id}: ${about}`,
          conditions.filter(({ ok }) => !ok).map(({ what, expected, seen }) => `${what}: ${expected}, seen ${seen}`),
          conditions.map(({ what }) => what).join(', '),
        ),
      );
      const whole = lines.length > 0 ? lines : [line('the setup', [], 'it does nothing')];
      return { lines: whole, screenshot: (await sandbox.screenshot()).bytes };
    },
  };
}

/** A picture of a desktop that never rests is as good as another. */
function whenRestless(thrown: unknown): number {
  if (thrown instanceof ForgeError && thrown.code === 'sandbox.timeout') return 0;
  throw thrown;
}

/** Desktops that a worker lends. */
export const lentGround = ({ sandboxes }: Pick<ExecuteContext, 'sandboxes'>): Ground => ({
  use: (subject, { clock }, work) =>
    sandboxes.use({ ...optionsFor(subject.manifest), ...(clock === undefined ? {} : { clock }) }, (sandbox) =>
      work(deskOf(subject, sandbox)),
    ),
});
