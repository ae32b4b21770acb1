import { openStore } from '../open-store.ts';
import { storeSettings } from '../store-settings.ts';
import { artifactOf, refTo, sampleBytes, sampleCall, sampleOutcome } from './samples.ts';

const [folder, runId, firstToken] = process.argv.slice(2);
if (folder === undefined || runId === undefined) throw new Error('usage: write-loop.child.ts FOLDER RUN TOKEN');

const store = await openStore(storeSettings(process.env, folder));
for (let token = Number(firstToken); ; token += 4) {
  const tokens = [token, token + 1, token + 2, token + 3];
  await Promise.all(tokens.map(commit));
  process.stdout.write(`${token + 3}\n`);
}

async function commit(token: number): Promise<void> {
  const [text, file] = [artifactOf(sampleBytes(300)), artifactOf(sampleBytes(40_000))];
  const outcome = sampleOutcome({ runId: runId ?? '', token, outputs: { text: refTo(text), file: refTo(file) } });
  await store.meta.commitOutcome(outcome, [text, file], [sampleCall({ runId: outcome.runId, token })]);
}
