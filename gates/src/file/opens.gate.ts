import { readPdf } from '@cua-forge/nodes/data/read-pdf';
import { ForgeError } from '@cua-forge/spec/errors';
import {
  defineKind,
  type ExecuteContext,
  input,
  type OpenReport,
  output,
  policies,
  Verdict,
} from '@cua-forge/spec/kind';
import { FileValue } from '@cua-forge/spec/value';
import { z } from 'zod';

/** PDFs are read by PDF.js, the viewer of browsers: not every LibreOffice can load them. */
async function open(name: string, bytes: Uint8Array, context: ExecuteContext): Promise<OpenReport> {
  if (!name.toLowerCase().endsWith('.pdf')) return context.office.open(name, bytes, context.signal);
  const application = 'PDF.js';
  try {
    const pages = await readPdf(name, bytes, context.signal);
    return {
      opened: true,
      application,
      detail: `Loaded with ${pages.length} ${pages.length === 1 ? 'page' : 'pages'}.`,
    };
  } catch (thrown) {
    if (!(thrown instanceof ForgeError)) throw thrown;
    return { opened: false, application, detail: thrown.message };
  }
}

/**
 * Opens a file in its application: a PDF in PDF.js, all others in LibreOffice. Without the application the file passes with evidence that it was not opened;
 * one that does not open is rejected.
 */
export const opens = defineKind({
  id: 'gate.opens',
  version: 1,
  title: 'File opens',
  doc: 'Checks that a file opens: a PDF in PDF.js, all others in LibreOffice where it is installed.',
  params: z.strictObject({}),
  inputs: { file: input('file', FileValue, 'The file to open.') },
  outputs: {
    verdict: output('json', Verdict, 'Whether it opened, and in what.'),
    file: output('file', FileValue, 'The file, unless it did not open.'),
  },
  // What is installed differs between machines, so an earlier answer says nothing here.
  policy: { ...policies.heavy, cacheable: false },
  gate: true,
  example: { params: {}, inputs: { file: { name: 'note.txt', mediaType: 'text/plain', text: 'Call the office.\n' } } },
  async execute({ inputs, context }) {
    const bytes = await context.files.read(inputs.file);
    const report = await open(inputs.file.name, bytes, context);
    const check = `${inputs.file.name} opens in ${report.application}`;
    const absent = report.opened === null;
    const detail = absent
      ? `not opened: ${report.application} is not installed here (${report.detail})`
      : report.detail;
    const refused = report.opened === false;
    const verdict: Verdict = { verdict: refused ? 'reject' : 'pass', evidence: [{ check, ok: !refused, detail }] };
    return refused ? { verdict } : { verdict, file: inputs.file };
  },
});
