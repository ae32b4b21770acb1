import { text } from 'node:stream/consumers';
import { z } from 'zod';

const Report = z.looseObject({
  results: z.array(z.looseObject({ metric: z.string(), value: z.number(), against: z.number().nullable() })),
});

/** What `npm run bench -- gates --json` printed, as the table of docs/authoring/gates.md. */
function tableOf({ results }: z.infer<typeof Report>): string {
  const find = (metric: string) => results.find((one) => one.metric === metric);
  const share = (metric: string) => find(metric)?.value.toFixed(3) ?? '–';
  const gates = results.flatMap(({ metric }) => /^recall\.([a-z-]+)$/.exec(metric)?.[1] ?? []);
  const rows = gates.map((gate) => [
    `\`gate.${gate}\``,
    String(find(`good.${gate}`)?.value ?? '–'),
    String(find(`bad.${gate}`)?.value ?? '–'),
    share(`recall.${gate}`),
    share(`precision.${gate}`),
    `${share(`recall.${gate}.held-out`)} / ${share(`precision.${gate}.held-out`)}`,
    `${find(`recall.${gate}`)?.against?.toFixed(2) ?? '–'} / ${find(`precision.${gate}`)?.against?.toFixed(2) ?? '–'}`,
  ]);
  const head = ['gate', 'good', 'bad', 'recall', 'precision', 'held out: recall / precision', 'refusing at random'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

process.stdout.write(`${tableOf(Report.parse(JSON.parse(await text(process.stdin))))}\n`);
