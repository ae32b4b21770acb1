import type { JsonObject } from '@cua-forge/spec/json';

/** A small policy: what examples and tests of kinds that read a text document are run on. */
export const exampleDocument: JsonObject = {
  page: { width: 595.3, height: 841.9, top: 72, right: 72, bottom: 72, left: 72 },
  styles: {},
  header: [],
  footer: [],
  blocks: [
    { type: 'paragraph', style: 'Title', runs: [{ text: 'Key  policy' }] },
    { type: 'paragraph', style: 'Normal', runs: [{ text: 'Version 2' }] },
    { type: 'paragraph', style: 'Heading 1', runs: [{ text: '1. Purpose' }] },
    { type: 'paragraph', style: 'Normal', runs: [{ text: 'This policy says who holds keys.' }] },
    { type: 'paragraph', style: 'Normal', runs: [] },
    { type: 'paragraph', style: 'Normal', runs: [{ text: '2. Loss', bold: true }] },
    {
      type: 'paragraph',
      style: 'Normal',
      runs: [{ text: 'Employees report a lost ' }, { text: 'key', bold: true }, { text: ' at once.' }],
    },
    { type: 'paragraph', style: 'Normal', runs: [{ text: 'This policy says who holds keys.' }] },
  ],
};
