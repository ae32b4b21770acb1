import { ReviewReason } from '@cua-forge/spec/review';
import { type Command, Option } from 'commander';
import type { Environment } from '../bootstrap/environment.ts';
import type { CommandParts } from './interchange-commands.ts';
import { exportExamples, reviewPackages, reviewSummary, showReviews } from './reviews.ts';

interface Said {
  note: string;
  by: string;
}

/** `packages review …`: what people think of packages. */
export function addReviewCommands(
  packages: Command,
  { command, embedded, positive, output }: CommandParts,
  env: Environment,
): void {
  const review = packages.command('review').description('accept and reject packages, and see why they were rejected');
  const verdict = (name: string, description: string): Command =>
    command(name, review)
      .description(description)
      .argument('<package...>')
      .option('--note <text>', 'more about it', '')
      .option('--by <name>', 'who says so, where the server asks for no login', env.USER || 'someone');

  verdict('accept', 'accept packages').action((ids: string[], { note, by }: Said) =>
    embedded((api) => reviewPackages(api, output, { ids, note, by, verdict: 'accepted', reason: null })),
  );
  verdict('reject', 'reject packages: exports and indexes leave them out')
    .addOption(new Option('--reason <reason>', 'what is wrong').choices(ReviewReason.options).makeOptionMandatory())
    .action((ids: string[], { reason, note, by }: Said & { reason: ReviewReason }) =>
      embedded((api) => reviewPackages(api, output, { ids, note, by, verdict: 'rejected', reason })),
    );
  verdict('reset', 'take a verdict back; the history keeps it').action((ids: string[], { note, by }: Said) =>
    embedded((api) => reviewPackages(api, output, { ids, note, by, verdict: 'unreviewed', reason: null })),
  );

  command('show', review)
    .description('every verdict on a package, newest first')
    .argument('<package>')
    .action((id: string) => embedded((api) => showReviews(api, output, id)));
  command('summary', review)
    .description('how many packages were accepted, and rejected for which reason')
    .option('--skill <id>')
    .option('--batch <id>')
    .action(({ skill, batch }: { skill?: string; batch?: string }) =>
      embedded((api) =>
        reviewSummary(api, output, {
          ...(skill === undefined ? {} : { skill }),
          ...(batch === undefined ? {} : { batchId: batch }),
        }),
      ),
    );
  command('export', review)
    .description('write what gates let pass of rejected packages, as examples for npm run bench -- gates')
    .argument('<file>', 'ends in .jsonl')
    .option('--skill <id>')
    .option('--gate <kind>', 'of this gate alone')
    .option('--limit <n>', 'how many, newest first', positive, 1_000)
    .action((file: string, { skill, gate, limit }: { skill?: string; gate?: string; limit: number }) =>
      embedded((api) =>
        exportExamples(api, output, file, {
          limit,
          ...(skill === undefined ? {} : { skill }),
          ...(gate === undefined ? {} : { gate }),
        }),
      ),
    );
}
