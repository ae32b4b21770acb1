import { memoryReader } from '@cua-forge/checks/file-readers';
import { writeDocx } from '@cua-forge/preparers/write-docx';
import { undoneParagraphs } from '@cua-forge/proof/files/document-variants';
import { compiledMusts, judgeOf } from '@cua-forge/proof/judge';
import { sensitivityStep } from '@cua-forge/proof/steps/sensitivity';
import { readSubject } from '@cua-forge/proof/subject';
import { buildTask, type TaskDraft } from '@cua-forge/proof/testing/sample-task';
import { noOffice } from '@cua-forge/testing/execute-context';
import { expect, it } from 'vitest';
import { goodPackages } from './good-packages.ts';
import { changeChecks, finishedFile } from './plant.ts';

async function restyled(): Promise<{ draft: TaskDraft; before: Uint8Array; after: Uint8Array; path: string }> {
  const draft = await goodPackages([1])
    .find(({ name }) => name.startsWith('writer-policy-restyle'))
    ?.draft();
  const finished = draft === undefined ? null : await finishedFile(draft);
  if (draft === undefined || finished === null) throw new Error('there is no such package');
  const before = draft.files.get(finished.path) ?? new Uint8Array();
  return { draft, before, after: finished.bytes, path: finished.path };
}

async function sensitivityOf(draft: TaskDraft, path: string, before: Uint8Array, after: Uint8Array) {
  const built = buildTask(draft);
  const subject = await readSubject(built.package, built.read);
  const signal = new AbortController().signal;
  const judge = judgeOf(subject, compiledMusts(subject), { office: noOffice, signal, progress: () => {} });
  const state = memoryReader(new Map([[path, after]]));
  return sensitivityStep(subject, [{ path, before, after, saved: null }], state, judge);
}

it('a text document is undone paragraph by paragraph', async () => {
  const { before, after } = await restyled();
  const undone = undoneParagraphs(before, after) ?? [];
  expect(undone.length).toBeGreaterThan(5);
  expect(undoneParagraphs(after, after)).toEqual([]);
  expect(undoneParagraphs(new Uint8Array([1, 2, 3]), after)).toBeNull();
  const [first] = undone;
  const made = first?.();
  expect(made?.about).toMatch(/\w/);
  // What is undone is one less to undo.
  expect(undoneParagraphs(before, made?.bytes ?? after)).toHaveLength(undone.length - 1);
});

it('paragraphs that tables hold are none of the body', async () => {
  const { draft } = await restyled();
  const [file] = draft.hidden.expected;
  if (file?.type !== 'docx') throw new Error('no text document is expected');
  const cell = (text: string) => ({ runs: [{ text }] });
  const table = { type: 'table' as const, rows: [[cell('one'), cell('two')]], headerRow: false, borders: true };
  const withTable = (text: string) =>
    writeDocx({
      ...file.content,
      blocks: [{ type: 'paragraph', style: 'Normal', runs: [{ text }] }, table, ...file.content.blocks.slice(0, 3)],
    });
  const undone = undoneParagraphs(await withTable('The text before'), await withTable('The text before it all'));
  expect(undone).toHaveLength(1);
});

it('each paragraph that the work changes has to be looked at', async () => {
  const { draft, before, after, path } = await restyled();
  expect((await sensitivityOf(draft, path, before, after)).filter(({ ok }) => !ok)).toEqual([]);
  let seen = 0;
  changeChecks(draft, (leaf) => {
    if (leaf.see.look !== 'paragraphs' || leaf.see.of !== 'text') return leaf;
    seen += 1;
    return seen % 2 === 0 ? null : leaf;
  });
  const [line] = await sensitivityOf(draft, path, before, after);
  expect(line).toMatchObject({ ok: false, detail: expect.stringContaining('passes as it was before') });
});
