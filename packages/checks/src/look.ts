import type { Look } from '@cua-forge/spec/check-look';
import { ForgeError } from '@cua-forge/spec/errors';
import type { OfficePort } from '@cua-forge/spec/kind';
import type { StateReader } from '@cua-forge/spec/state-reader';
import { lookAtBrowser } from './reading/browser.ts';
import { queryDatabase } from './reading/database.ts';
import { OpenDocument } from './reading/document.ts';
import { readMail } from './reading/mail.ts';
import { readPicture } from './reading/pictures.ts';
import { OpenPresentation } from './reading/presentation.ts';
import { list, missing, type Seen, value } from './reading/seen.ts';
import { decode, lookAtCsv, lookAtJson, lookAtPdf, lookAtSetting } from './reading/texts.ts';
import { OpenWorkbook } from './reading/workbook.ts';

export interface LookContext {
  reader: StateReader;
  /** Bytes of the package's hidden references by name, for paths that begin with `reference:`. */
  references?: ReadonlyMap<string, Uint8Array>;
  /** For formulas without results and for files of the open document formats. */
  office: Pick<OfficePort, 'convert'>;
  signal: AbortSignal;
}

const lacking = (what: string) =>
  new ForgeError('tool.missing', `A check wants ${what}, which the place that is judged cannot give.`, {
    fix: 'Judge it in a sandbox.',
  });

/** Opens a file once for all looks at it. */
function once<T>(opened: Map<string, Promise<T>>, path: string, open: () => Promise<T>): Promise<T> {
  const found = opened.get(path) ?? open();
  opened.set(path, found);
  return found;
}

/** Looks at one state of the place, reading each file once. */
export class Looker {
  readonly #files = new Map<string, Promise<Uint8Array | null>>();
  readonly #documents = new Map<string, Promise<OpenDocument>>();
  readonly #presentations = new Map<string, Promise<OpenPresentation>>();
  readonly #workbooks = new Map<string, Promise<OpenWorkbook>>();

  constructor(private readonly context: LookContext) {}

  /**
   * What is to be seen; damaged and missing files are `missing`.
   * @throws ForgeError `tool.missing` for what this place cannot tell, `node.cancelled`
   */
  async look(see: Look): Promise<Seen> {
    this.context.signal.throwIfAborted();
    try {
      return await this.#look(see);
    } catch (thrown) {
      if (thrown instanceof ForgeError && thrown.code === 'file.unreadable') return missing(thrown.message);
      throw thrown;
    }
  }

  async #look(see: Look): Promise<Seen> {
    const { reader } = this.context;
    switch (see.look) {
      case 'folder': {
        const names = await reader.listFiles(see.path);
        if (see.of === 'exists') return value(names !== null);
        return names === null ? missing(`there is no folder ${see.path}`) : list(names);
      }
      case 'processes':
        if (reader.processes === undefined) throw lacking('the running processes');
        return list(await reader.processes());
      case 'windows':
        if (reader.windows === undefined) throw lacking('the titles of windows');
        return list(await reader.windows());
      case 'command': {
        if (reader.run === undefined) throw lacking('to run a command');
        const { code, output } = await reader.run(see.command);
        return value(see.of === 'code' ? code : output);
      }
      case 'screenshot':
        if (reader.screenshot === undefined) throw lacking('a screenshot');
        return readPicture('the screenshot', await reader.screenshot(), see.region);
      case 'browser':
        return lookAtBrowser(see, reader);
      case 'mail':
        return this.#mail(see);
      case 'sqlite':
        return queryDatabase(reader, see.path, see.query);
      default:
        return this.#file(see);
    }
  }

  async #file(
    see: Exclude<
      Look,
      { look: 'folder' | 'processes' | 'windows' | 'command' | 'screenshot' | 'browser' | 'mail' | 'sqlite' }
    >,
  ): Promise<Seen> {
    const bytes = await this.#bytes(see.path);
    if (see.look === 'file' && see.of === 'exists') return value(bytes !== null);
    if (bytes === null) return missing(`there is no file ${see.path}`);
    switch (see.look) {
      case 'file':
        if (see.of === 'size') return value(bytes.byteLength);
        if (see.of === 'bytes') return value(Buffer.from(bytes).toString('base64'));
        return see.of === 'text'
          ? value(decode(bytes))
          : list(
              decode(bytes)
                .replace(/\r?\n$/, '')
                .split(/\r?\n/),
            );
      case 'workbook':
      case 'sheet':
      case 'cell':
      case 'range':
        return (await this.#workbook(see.path, bytes)).look(see);
      case 'document':
      case 'paragraph':
      case 'paragraphs':
      case 'table':
      case 'table-cell':
        return (
          await once(
            this.#documents,
            see.path,
            async () => new OpenDocument(see.path, await this.#as(see.path, bytes, 'docx')),
          )
        ).look(see);
      case 'presentation':
      case 'slide':
      case 'shape':
        return (await once(this.#presentations, see.path, async () => new OpenPresentation(see.path, bytes))).look(see);
      case 'pdf':
        return lookAtPdf(see, bytes);
      case 'json':
        return lookAtJson(see, bytes);
      case 'csv':
      case 'csv-cell':
        return lookAtCsv(see, bytes);
      case 'setting':
        return lookAtSetting(see, bytes);
      case 'picture': {
        const seen = readPicture(see.path, bytes, see.region);
        return seen.kind !== 'pixels' || see.of === 'pixels' ? seen : value(seen.pixels[see.of]);
      }
    }
  }

  #bytes(path: string): Promise<Uint8Array | null> {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    const found = path.startsWith('reference:')
      ? Promise.resolve(this.context.references?.get(path.slice('reference:'.length)) ?? null)
      : this.context.reader.readFile(path);
    this.#files.set(path, found);
    return found;
  }

  async #workbook(path: string, bytes: Uint8Array): Promise<OpenWorkbook> {
    return once(this.#workbooks, path, async () => {
      const own = await this.#as(path, bytes, 'xlsx');
      const convert = (to: 'xlsx' | 'html') =>
        this.context.office.convert('calculated.xlsx', own, to, this.context.signal);
      return OpenWorkbook.read(path, own, { calculate: () => convert('xlsx'), show: () => convert('html') });
    });
  }

  /** The file in the format that is read here; others are converted. */
  async #as(path: string, bytes: Uint8Array, format: 'docx' | 'xlsx'): Promise<Uint8Array> {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return /\.(?:ods|odt|xls|doc|rtf)$/i.test(name)
      ? this.context.office.convert(name, bytes, format, this.context.signal)
      : bytes;
  }

  async #mail(see: Extract<Look, { look: 'mail' }>): Promise<Seen> {
    const all = await readMail(this.context.reader, see.path);
    if (all === null) return missing(`there is no mail folder ${see.path}`);
    const wanted = see.subject?.toLowerCase();
    const mails = all.filter(({ subject = '' }) => wanted === undefined || subject.toLowerCase().includes(wanted));
    switch (see.of) {
      case 'count':
        return value(mails.length);
      case 'subjects':
        return list(mails.map(({ subject }) => subject));
      case 'senders':
        return list(mails.map(({ from }) => from?.address));
      case 'recipients':
        return list(mails.flatMap(({ to = [] }) => to.map(({ address }) => address)));
      case 'texts':
        return list(mails.map(({ text }) => text?.trim()));
      case 'attachments':
        return list(mails.flatMap(({ attachments }) => attachments.map(({ filename }) => filename)));
    }
  }
}
