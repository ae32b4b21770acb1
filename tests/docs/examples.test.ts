import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Verdict } from '@cua-forge/spec/kind';
import { FileValue } from '@cua-forge/spec/value';
import { MemoryFiles, runKind } from '@cua-forge/testing/run-kind';
import { describe, expect, it } from 'vitest';
import { dropDuplicates } from '../../docs/examples/drop-duplicates.node.ts';
import { instructionLength } from '../../docs/examples/instruction-length.gate.ts';
import { windowsText } from '../../docs/examples/windows-text.preparer.ts';
import { matchesSpec } from '../../gates/src/file/matches-spec.gate.ts';
import { loadKind } from '../../scripts/kind-registry.ts';

const root = join(import.meta.dirname, '../..');
const examples = readdirSync(join(root, 'docs/examples'));
const pages = readdirSync(join(root, 'docs/contributing')).map((name) => ({
  name,
  text: readFileSync(join(root, 'docs/contributing', name), 'utf8'),
}));

describe('the example node', () => {
  it('keeps the first of each and counts the others', async () => {
    expect(await runKind(dropDuplicates)).toEqual({ list: [{ name: 'Ann' }, { name: 'Ben' }], dropped: 1 });
  });

  it('takes texts as equal without regard to case where that is asked for', async () => {
    const inputs = { list: [{ name: 'Ann' }, { name: 'ANN' }, { name: 1 }, { name: '1' }] };
    const strict = await runKind(dropDuplicates, { params: { key: 'name' }, inputs });
    const loose = await runKind(dropDuplicates, { params: { key: 'name', ignoreCase: true }, inputs });
    expect([strict.dropped, loose.dropped]).toEqual([0, 1]);
  });

  it('says which member lacks the key', async () => {
    const inputs = { list: [{ name: 'Ann' }, { title: 'Dr.' }] };
    await expect(runKind(dropDuplicates, { params: { key: 'name' }, inputs })).rejects.toMatchObject({
      code: 'input.invalid',
      message: 'Member 1 of the list has no text or number "name".',
      place: { port: 'list' },
    });
  });
});

describe('the example preparer', () => {
  it('writes a byte order mark and Windows line ends', async () => {
    const files = new MemoryFiles();
    const file = FileValue.parse((await runKind(windowsText, { files })).file);
    expect(file).toMatchObject({ name: 'note.txt', mediaType: 'text/plain' });
    expect(Buffer.from(files.get(file.hash)).toString('utf8')).toBe('\uFEFFCall the office.\r\nAsk for Zoë.\r\n');
  });

  it('makes files that the file gate lets through', async () => {
    const files = new MemoryFiles();
    const { file } = await runKind(windowsText, { files });
    const inputs = { file, spec: windowsText.example.inputs.spec };
    const judged = await runKind(matchesSpec, { params: { file: 'note' }, inputs, files });
    expect(Verdict.parse(judged.verdict).verdict).toBe('pass');
  });

  it('refuses a file that the specification does not have', async () => {
    const { inputs } = windowsText.example;
    await expect(runKind(windowsText, { params: { file: 'letter' }, inputs })).rejects.toThrow(/"letter".*note/);
  });
});

describe('the example gate', () => {
  it('lets an instruction of the wanted length through', async () => {
    const outputs = await runKind(instructionLength);
    expect(Verdict.parse(outputs.verdict)).toMatchObject({ verdict: 'pass', gate: 'gate.instruction-length' });
    expect(outputs.instruction).toBe(instructionLength.example.inputs.instruction);
  });

  it.each([
    ['too short', 'Sum it up.', 'The instruction has 3 words. Write at least 15.'],
    ['too long', 'word '.repeat(200), 'The instruction has 200 words. Write at most 160.'],
  ])('asks for a repair of one that is %s', async (_, instruction, feedback) => {
    const outputs = await runKind(instructionLength, { params: {}, inputs: { instruction } });
    expect(Verdict.parse(outputs.verdict)).toMatchObject({ verdict: 'repair', feedback, evidence: [{ ok: false }] });
    expect(outputs).not.toHaveProperty('instruction');
  });
});

describe('each example', () => {
  it.each(examples)('%s is a kind that the registry could take', async (name) => {
    const { meta } = await loadKind(root, join(root, 'docs/examples', name));
    expect(meta.doc).toMatch(/^\p{Lu}.*\.$/u);
  });

  it.each(examples)('%s stands word for word in a page for contributors', (name) => {
    const source = readFileSync(join(root, 'docs/examples', name), 'utf8');
    expect(
      pages.filter(({ text }) => text.includes(`\`\`\`ts\n${source}\`\`\``)).map((page) => page.name),
    ).toHaveLength(1);
  });
});
