import type { ApiClient } from '@cua-forge/api-client/api-client';
import { VerdictFilter } from '@cua-forge/spec/api/packages';
import { kinds } from '@cua-forge/spec/kinds';
import { type Command, type CommandOptions, Option } from 'commander';
import {
  exportAs,
  exportDocument,
  exportRun,
  importDocument,
  importPackages,
  importRun,
  indexPackages,
  listDocuments,
  type PackageFormat,
  packageFormats,
} from './interchange.ts';
import type { Output } from './output.ts';
import { readTarget } from './run.ts';

export interface CommandParts {
  command(name: string, parent: Command, options?: CommandOptions): Command;
  /** For commands that bring the services that they need. */
  embedded(work: (api: ApiClient) => Promise<number>): Promise<void>;
  positive(text: string): number;
  output: Output;
}

/** Export and import of packages, runs and documents. */
export function addInterchangeCommands(
  { program, packages, runs }: { program: Command; packages: Command; runs: Command },
  { command, embedded, positive, output }: CommandParts,
): void {
  command('export', packages)
    .description('write a package as a folder, a .tar, an OSWorld task or a Harbor task')
    .argument('<package>')
    .argument('<folder>', 'where it is put')
    .addOption(new Option('--format <format>').choices(packageFormats).default('folder'))
    .option('--files-url <url>', 'where OSWorld finds the input files; by default the folder that is written')
    .option('--rejected', 'also when people rejected it', false)
    .action(
      (
        id: string,
        folder: string,
        { format, filesUrl, rejected }: { format: PackageFormat; filesUrl?: string; rejected: boolean },
      ) => embedded((api) => exportAs(api, output, { id, folder, format, filesUrl, rejected })),
    );
  command('import', packages)
    .description('take up packages from folders, Harbor tasks made from packages, or .tar files')
    .argument('<source...>')
    .action((sources: string[]) => embedded((api) => importPackages(api, output, sources)));
  command('index', packages)
    .description('write an index of packages, as JSON lines or Parquet')
    .argument('<file>', 'ends in .jsonl or .parquet')
    .option('--skill <id>')
    .option('--batch <id>')
    .addOption(
      new Option('--verdict <verdict>', 'what people said of them; kept: not rejected')
        .choices([...VerdictFilter.options, 'all'])
        .default('kept'),
    )
    .option('--limit <n>', 'how many, newest first', positive, 1_000)
    .action(
      (
        file: string,
        {
          skill,
          batch,
          verdict,
          limit,
        }: { skill?: string; batch?: string; verdict: VerdictFilter | 'all'; limit: number },
      ) =>
        embedded((api) =>
          indexPackages(api, output, file, {
            limit,
            ...(verdict === 'all' ? {} : { verdict }),
            ...(skill === undefined ? {} : { skill }),
            ...(batch === undefined ? {} : { batchId: batch }),
          }),
        ),
    );

  command('export', runs)
    .description('write a closed run with everything it needs as a .tar')
    .argument('<run>')
    .argument('<file>')
    .action((id: string, file: string) => embedded((api) => exportRun(api, output, id, file)));
  command('import', runs)
    .description('take up a run from its .tar')
    .argument('<file>')
    .action((file: string) => embedded((api) => importRun(api, output, file)));

  const documents = program.command('documents').description('look at, export and import workflow documents');
  command('list', documents, { isDefault: true })
    .description('all documents')
    .action(() => embedded((api) => listDocuments(api, output)));
  command('export', documents)
    .description('write a document as YAML')
    .argument('<document>')
    .argument('<file>')
    .action((id: string, file: string) => embedded((api) => exportDocument(api, output, id, file)));
  command('import', documents)
    .description('store a document from a file')
    .argument('<file>', 'YAML or JSON')
    .option('--as <id>', 'under this id instead of its own')
    .option('--replace', 'make it the next revision of one that is there', false)
    .action(async (file: string, options: { as?: string; replace: boolean }) => {
      const local = await readTarget(file, kinds);
      const id = options.as ?? local?.id ?? file;
      await embedded((api) => importDocument(api, output, { file, id, replace: options.replace }));
    });
}
