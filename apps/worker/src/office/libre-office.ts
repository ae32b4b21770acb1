import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { ForgeError } from '@cua-forge/spec/errors';
import type { OfficeFormat, OfficePort, OpenReport } from '@cua-forge/spec/kind';
import { runOffice } from './run-office.ts';

/** Export filters where the ending alone leaves the encoding or the kind of text open. */
const filters: Partial<Record<OfficeFormat, string>> = {
  csv: 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false',
  txt: 'txt:Text (encoded):UTF8',
};

/** Readers by the source's ending: without one, a broken archive would be loaded as plain text and count as whole. */
const readers: Record<string, string> = {
  '.xlsx': 'Calc MS Excel 2007 XML',
  '.ods': 'calc8',
  '.docx': 'MS Word 2007 XML',
  '.odt': 'writer8',
  '.pptx': 'Impress MS PowerPoint 2007 XML',
  '.odp': 'impress8',
};

interface Conversion {
  version: string;
  /** What was made, or null with the reason in `detail`. */
  bytes: Uint8Array | null;
  detail: string;
}

/** LibreOffice as a separate process, each call with its own profile and folder, both removed afterwards. Its process group is killed when the call ends, however it ends. */
export class LibreOffice implements OfficePort {
  private found: Promise<string | null> | null = null;

  constructor(private readonly program: string) {}

  /** Version line of the program, or null where it is not installed. */
  version(): Promise<string | null> {
    this.found ??= promisify(execFile)(this.program, ['--version'], { timeout: 30_000 }).then(
      ({ stdout }) => stdout.trim(),
      () => null,
    );
    return this.found;
  }

  async open(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<OpenReport> {
    const made = await this.make(name, bytes, 'pdf', signal);
    if (made === null)
      return {
        opened: null,
        application: 'LibreOffice',
        detail: `LibreOffice is not installed here ('${this.program}' does not run), so '${name}' was not opened.`,
      };
    const whole = made.bytes !== null && Buffer.from(made.bytes.subarray(0, 5)).toString('latin1') === '%PDF-';
    if (whole)
      return {
        opened: true,
        application: made.version,
        detail: `Loaded and laid out (${made.bytes?.byteLength} bytes of PDF).`,
      };
    return { opened: false, application: made.version, detail: `Did not load: ${made.detail}` };
  }

  async convert(name: string, bytes: Uint8Array, to: OfficeFormat, signal: AbortSignal): Promise<Uint8Array> {
    const made = await this.make(name, bytes, to, signal);
    if (made === null)
      throw new ForgeError('tool.missing', `'${name}' cannot be converted: LibreOffice is not installed here.`, {
        fix: `Install LibreOffice, or set FORGE_SOFFICE to its program; '${this.program}' does not run.`,
      });
    if (made.bytes === null)
      throw new ForgeError('file.unreadable', `LibreOffice cannot make ${to} of '${name}': ${made.detail}`, {
        fix: 'Check that the file is whole, that its name has the right ending, and that this conversion makes sense.',
      });
    return made.bytes;
  }

  /** Null where the program is not installed. */
  private async make(
    name: string,
    bytes: Uint8Array,
    to: OfficeFormat,
    signal: AbortSignal,
  ): Promise<Conversion | null> {
    const version = await this.version();
    if (version === null) return null;
    const folder = await mkdtemp(join(tmpdir(), 'forge-office-'));
    try {
      const file = join(folder, basename(name).replaceAll(/[^\p{L}\p{N}._ -]/gu, '_'));
      // A folder of its own: the result may have the name of the source.
      const out = join(folder, 'made');
      await mkdir(out);
      await writeFile(file, bytes);
      const reader = readers[extname(file).toLowerCase()];
      const args = [
        ...(reader === undefined ? [] : [`--infilter=${reader}`]),
        ...['--convert-to', filters[to] ?? to, '--outdir', out, file],
      ];
      const { code, output } = await runOffice(this.program, folder, args, signal);
      const made = await readFile(join(out, `${basename(file, extname(file))}.${to}`)).catch(() => null);
      if (code === 0 && made !== null && made.byteLength > 0)
        return { version, bytes: new Uint8Array(made), detail: output.trim() };
      return { version, bytes: null, detail: output.trim() || `exit ${code}` };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}
