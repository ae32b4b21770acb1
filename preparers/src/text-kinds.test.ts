import { compareJson } from '@cua-forge/gates/file/compare-json';
import { compareMarkdown } from '@cua-forge/gates/file/compare-markdown';
import type { Kind } from '@cua-forge/spec/kind';
import { TaskSpecification } from '@cua-forge/spec/task';
import { FileValue } from '@cua-forge/spec/value';
import { MemoryFiles, runKind } from '@cua-forge/testing/run-kind';
import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import { exampleSpec } from './example-spec.ts';
import { json } from './json.preparer.ts';
import { md } from './md.preparer.ts';

const { files: required } = TaskSpecification.parse(exampleSpec);

async function prepare(kind: Kind, params = kind.example.params) {
  const files = new MemoryFiles();
  const inputs = { spec: exampleSpec };
  const file = FileValue.parse((await runKind(kind, { files, params, inputs })).file);
  return { file, bytes: files.get(file.hash), text: new TextDecoder().decode(files.get(file.hash)) };
}

describe('preparer.md', () => {
  const wanted = required.flatMap((file) => (file.type === 'md' ? [file.content] : []))[0] ?? [];

  it('writes what another parser reads back, markup in texts included', async () => {
    const { text, file } = await prepare(md);
    expect(file).toMatchObject({ name: 'report.md', mediaType: 'text/markdown' });
    const html = await marked.parse(text, { gfm: true });
    expect(html).toContain('<h1>Orders &amp; stock</h1>');
    expect(html).toContain('2*3*4, snake_case, &lt;none&gt;.');
    expect(html).toMatch(/<ol>\s*<li>Count the shelves<\/li>/);
    expect(html.match(/type="checkbox"/g)).toHaveLength(2);
    expect(html).toContain('<td>Lamp | small</td>');
    expect(html).toContain('<blockquote>');
    expect(html).toContain('ls -l\ndf -h');
    expect(text.endsWith('\n')).toBe(true);
    expect((await prepare(md)).file.hash).toBe(file.hash);
  });

  it.each<[string, (text: string) => string, RegExp]>([
    ['nothing', (text) => text, /^$/],
    ['another heading', (text) => text.replace('# Orders', '## Orders'), /block 1: expected "heading 1/],
    ['a done task', (text) => text.replace('[ ] Desks', '[x] Desks'), /block 4/],
    ['a lost row', (text) => text.replace(/\| Desk .*\n/, ''), /block 5/],
    ['a new paragraph', (text) => `${text}\nMore.\n`, /block 9: expected null/],
  ])('the gate notices %s', async (_what, change, message) => {
    const { text } = await prepare(md);
    const wrong = compareMarkdown(new TextEncoder().encode(change(text)), wanted).filter(({ ok }) => !ok);
    expect(wrong.map(({ detail }) => detail).join()).toMatch(message);
  });
});

describe('preparer.json', () => {
  const wanted = required.flatMap((file) => (file.type === 'json' ? [file.content] : []))[0] ?? null;

  it('writes what JSON.parse reads back, indented or in one line', async () => {
    const { text, file } = await prepare(json);
    expect(file).toMatchObject({ name: 'settings.json', mediaType: 'application/json' });
    expect(JSON.parse(text)).toEqual(wanted);
    expect(text).toMatch(/^\{\n {2}"name"/);
    expect((await prepare(json, { file: 'settings', indent: 0 })).text.trim().split('\n')).toHaveLength(1);
  });

  it.each<[string, (text: string) => string, RegExp]>([
    ['nothing', (text) => text, /^$/],
    ['a value', (text) => text.replace('0.19', '0.2'), /rates\[1\]: expected 0.19, found 0.2/],
    ['a lost member', (text) => text.replace(/,\s*"none": null/, ''), /nested.none is missing/],
    ['a strange member', (text) => text.replace('{', '{"more": 1,'), /has more/],
    ['a broken file', (text) => text.slice(0, -4), /JSON/],
  ])('the gate notices %s', async (_what, change, message) => {
    const { text } = await prepare(json);
    const wrong = compareJson(new TextEncoder().encode(change(text)), wanted).filter(({ ok }) => !ok);
    expect(wrong.map(({ detail }) => detail).join()).toMatch(message);
  });
});
