import { rename, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ApiClient } from '@cua-forge/api-client/api-client';
import { ForgeError } from '@cua-forge/spec/errors';
import { type Output, printResult } from './output.ts';

/** Tells where a desktop is seen live, or begins or ends a recording of what people do on it. */
export async function viewDesktop(
  api: ApiClient,
  url: string,
  { id, record, stop }: { id: string; record: boolean; stop: string | undefined },
  output: Output,
): Promise<void> {
  if (stop !== undefined) {
    const { recording, seconds } = await api.endRecording(id);
    if (recording === null)
      throw new ForgeError('input.invalid', 'Nothing was done while it was recorded, so there is nothing to write.', {
        fix: 'Record again, and use mouse or keyboard on the page of the desktop.',
      });
    const file = resolve(stop);
    await writeFile(`${file}.new`, `${JSON.stringify(recording, null, 2)}\n`);
    await rename(`${file}.new`, file);
    printResult(
      output,
      { file, seconds, actions: recording.actions.length },
      (done) => `${done.actions} actions of ${done.seconds.toFixed(0)} s are in ${done.file}.`,
    );
    return;
  }
  const { desktops } = await api.desktops();
  if (!desktops.some((desktop) => desktop.id === id && desktop.state === 'running'))
    throw new ForgeError('not-found', `There is no running desktop '${id}'.`, {
      fix: '`forge sandbox list` names them.',
    });
  if (record) await api.startRecording(id);
  const page = `${url.replace(/\/+$/, '')}/desktops/${encodeURIComponent(id)}`;
  printResult(output, { page, recording: record }, () =>
    record ? `${page}\nWhat is done there is kept; \`forge sandbox view ${id} --stop FILE\` ends that.` : page,
  );
}
