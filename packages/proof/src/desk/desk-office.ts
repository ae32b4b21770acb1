import { createHash, randomUUID } from 'node:crypto';
import type { OfficeFormat, OfficePort } from '@cua-forge/spec/kind';
import type { Sandbox } from '@cua-forge/spec/sandbox-port';
import pLimit from 'p-limit';
import { endingOf } from '../targets.ts';

/** Filters of LibreOffice by what a file is and what it shall become. Other pairs are left to the worker's own. */
const filters: Partial<Record<string, string>> = {
  'xlsx xlsx': 'Calc MS Excel 2007 XML',
  'xlsx html': 'HTML (StarCalc)',
  'ods xlsx': 'Calc MS Excel 2007 XML',
  'ods ods': 'calc8',
  'docx docx': 'MS Word 2007 XML',
  'odt docx': 'MS Word 2007 XML',
  'odt odt': 'writer8',
};

const converter = `
import os, sys, time, uno
from com.sun.star.beans import PropertyValue

pipe, source, target, wanted = sys.argv[1:]
local = uno.getComponentContext()
resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
for attempt in range(600):
    try:
        context = resolver.resolve("uno:pipe,name=%s;urp;StarOffice.ComponentContext" % pipe)
        break
    except Exception:
        if attempt == 599:
            raise
        time.sleep(0.1)
desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)


def option(name, value):
    found = PropertyValue()
    found.Name, found.Value = name, value
    return found


document = desktop.loadComponentFromURL(uno.systemPathToFileUrl(source), "_blank", 0, (option("Hidden", True),))
if document is None:
    sys.exit("the file does not load")
try:
    if hasattr(document, "calculateAll"):
        document.calculateAll()
    document.storeToURL(uno.systemPathToFileUrl(target), (option("FilterName", wanted),))
finally:
    document.close(True)
# Threads of the connection outlive the interpreter and may crash while it takes itself apart, when all is done: it ends at once.
os._exit(0)
`;

const listen = (folder: string, pipe: string): string => `
mkdir -p ${folder}/profile
cp -r "$HOME/.config/libreoffice/4/user" ${folder}/profile/ 2>/dev/null
rm -f ${folder}/profile/.lock ${folder}/profile/user/.lock
exec soffice --headless --norestore --nologo --nodefault "-env:UserInstallation=file://${folder}/profile" "--accept=pipe,name=${pipe};urp;"
`;

/** Folder below /tmp that is the prover's own: no work of anybody. */
export const proverFolder = '/tmp/prover';

interface JoinedDesk {
  sandbox: Sandbox;
  pipe: string;
  started: Promise<unknown> | undefined;
}

/**
 * Converts with the LibreOffice of a sandbox, which stays loaded between files, and remembers what it has converted. What it cannot do, and everything while no
 * sandbox is joined, is done by `otherwise`. One file at a time: a LibreOffice that stores one workbook while it loads another may wait for itself for ever.
 */
export class DeskOffice implements Pick<OfficePort, 'convert'> {
  readonly #turns = pLimit(1);
  readonly #known = new Map<string, Promise<Uint8Array>>();
  #desk: JoinedDesk | null = null;

  constructor(private readonly otherwise: Pick<OfficePort, 'convert'>) {}

  join(sandbox: Sandbox): void {
    this.#desk = { sandbox, pipe: `prover${randomUUID().slice(0, 8)}`, started: undefined };
  }

  leave(): void {
    this.#desk = null;
  }

  convert(name: string, bytes: Uint8Array, to: OfficeFormat, signal: AbortSignal): Promise<Uint8Array> {
    const key = `${createHash('sha256').update(bytes).digest('hex')} ${endingOf(name)} ${to}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const made = this.#convert(name, bytes, to, signal);
    this.#known.set(key, made);
    made.catch(() => this.#known.delete(key));
    return made;
  }

  async #convert(name: string, bytes: Uint8Array, to: OfficeFormat, signal: AbortSignal): Promise<Uint8Array> {
    const filter = filters[`${endingOf(name)} ${to}`];
    const desk = this.#desk;
    if (filter === undefined || desk === null) return this.otherwise.convert(name, bytes, to, signal);
    return this.#turns(() => this.#inSandbox(desk, name, bytes, to, filter, signal));
  }

  async #inSandbox(
    desk: JoinedDesk,
    name: string,
    bytes: Uint8Array,
    to: OfficeFormat,
    filter: string,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const { sandbox, pipe } = desk;
    const id = randomUUID().slice(0, 8);
    const [source, target] = [`${proverFolder}/${id}.${endingOf(name)}`, `${proverFolder}/${id}.out.${to}`];
    try {
      desk.started ??= sandbox.launch(['bash', '-c', listen(proverFolder, pipe)]);
      await desk.started;
      await sandbox.putFile(source, bytes);
      const { exitCode } = await sandbox.exec(['python3', '-c', converter, pipe, source, target, filter], {
        timeoutMs: 90_000,
        signal,
      });
      if (exitCode === 0) return await sandbox.getFile(target);
    } catch {
      signal.throwIfAborted();
    }
    // What does not load there may be the sandbox's fault; the worker's own says what is wrong with the file.
    return this.otherwise.convert(name, bytes, to, signal);
  }
}
