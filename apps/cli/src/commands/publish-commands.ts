import type { ApiClient } from '@cua-forge/api-client/api-client';
import type { RevisionList } from '@cua-forge/spec/api/documents';
import type { PublicationList, PublishResult } from '@cua-forge/spec/publication';
import type { Command } from 'commander';
import { exitCodes } from './exit-code.ts';
import { type Output, printResult, tableText } from './output.ts';

interface Parts {
  command(name: string, parent?: Command): Command;
  running(work: (api: ApiClient) => Promise<number>): Promise<void>;
  positive(text: string): number;
  output: Output;
}

function publishedText({ publication, schedules }: PublishResult): string {
  const { documentId, revision } = publication;
  return [
    `Revision ${revision} of ${documentId} is published: batches, schedules and hooks run it.`,
    ...schedules.map(({ id, title, refused }) =>
      refused === null
        ? `  schedule ${id} (${title}) runs it from its next turn on`
        : `  schedule ${id} (${title}) stays where it is: ${refused}`,
    ),
  ].join('\n');
}

export function draftText({ publications: [holding], draft }: PublicationList): string {
  if (holding === undefined) return `Nothing is published: revision ${draft.revision}, the newest, is what runs.`;
  if (draft.changes === 0) return `The newest revision (${draft.revision}) means the same as the published one.`;
  const how = draft.changes === null ? 'differs from' : `has ${draft.changes} changes to`;
  return `The newest revision (${draft.revision}) ${how} the published one (${holding.revision}).`;
}

function versionsText({ revisions, published }: { revisions: RevisionList['revisions']; published: PublicationList }) {
  const [holding] = published.publications;
  const rows = revisions.map(({ revision, title, updatedAt }) => {
    const latest = published.publications.find((one) => one.revision === revision);
    const state = revision === holding?.revision ? 'published' : latest === undefined ? '' : 'was published';
    const who = latest === undefined ? '' : [latest.by, latest.note].filter((text) => text !== '').join(': ');
    return [String(revision), new Date(updatedAt).toISOString(), title, state, who];
  });
  return `${tableText(['revision', 'saved', 'title', 'state', 'by'], rows)}\n\n${draftText(published)}`;
}

/** `publish` and `versions`: which revision of a document runs. */
export function addPublishCommands(_program: Command, { command, running, positive, output }: Parts): void {
  command('publish')
    .description('make a revision of a document the one that batches, schedules and hooks run; an older one rolls back')
    .argument('<document>')
    .option('--revision <n>', 'which; without it the newest', positive)
    .option('--note <text>', 'why', '')
    .action((id: string, { revision, note }: { revision?: number; note: string }) =>
      running(async (api) => {
        const wanted = revision === undefined ? { note } : { revision, note };
        printResult(output, await api.publishDocument(id, wanted), publishedText);
        return exitCodes.done;
      }),
    );
  command('versions')
    .description('revisions of a document, newest first, and which of them is published')
    .argument('<document>')
    .option('--limit <n>', 'how many', positive, 20)
    .action((id: string, { limit }: { limit: number }) =>
      running(async (api) => {
        const published = await api.publications(id, { limit: 1_000 });
        const { revisions } = await api.revisions(id, { limit });
        printResult(output, { revisions, published }, versionsText);
        return exitCodes.done;
      }),
    );
}
