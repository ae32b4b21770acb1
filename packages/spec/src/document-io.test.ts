import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocument, serializeJson, serializeYaml } from './document-io.ts';
import { MAX_DOCUMENT_LENGTH } from './document-source.ts';
import { validDocument } from './testing/arbitrary-document.ts';
import { documentOf, transform } from './testing/sample-document.ts';

const head = 'forge: 1\nid: a\ntitle: A\n';
const first = (text: string, file?: string) => parseDocument(text, file === undefined ? {} : { file }).findings[0];

describe('round trip', () => {
  it('gives back every document, from YAML and from JSON, and the same text again', () => {
    fc.assert(
      fc.property(validDocument(), (document) => {
        for (const [serialize, file] of [
          [serializeYaml, 'a.yaml'],
          [serializeJson, 'a.json'],
        ] as const) {
          const text = serialize(document);
          const { document: back, findings } = parseDocument(text, { file });
          expect(findings).toEqual([]);
          expect(back).toEqual(document);
          if (back !== null) expect(serialize(back)).toBe(text);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('writes fields in a fixed order, layout last, long texts as blocks, and leaves empty parts out', () => {
    const document = documentOf({
      layout: { $main: { a: { x: 1, y: 2 } } },
      outputs: { o: 'a.value' },
      nodes: [{ ...transform('a'), params: { expression: 'first\n  second\n' }, title: 'T' }, transform('b', ['x'])],
      edges: ['a.value > b.x'],
    });
    expect(serializeYaml(document)).toBe(`forge: 1
id: sample
title: Sample
nodes:
  - id: a
    kind: data.transform
    version: 1
    title: T
    params:
      expression: |
        first
          second
  - id: b
    kind: data.transform
    version: 1
    params:
      expression: $
      inputs:
        x: any
edges:
  - { from: a.value, to: b.x }
outputs:
  o: a.value
layout:
  $main:
    a: { x: 1, y: 2 }
`);
    expect(Object.keys(JSON.parse(serializeJson(document)))).toEqual([
      'forge',
      'id',
      'title',
      'nodes',
      'edges',
      'outputs',
      'layout',
    ]);
  });
});

describe('refusals', () => {
  it('names unknown fields with their path, node and line, all at once', () => {
    const text = `${head}colour: red\nnodes:\n  - id: n\n    kind: data.transform\n    version: 1\n    parms: {}\n`;
    const { document, findings } = parseDocument(text);
    expect(document).toBeNull();
    expect(findings.map(({ code, message, line, node }) => [code, message, line, node])).toEqual(
      expect.arrayContaining([
        ['document.unknown-field', 'There is no field "colour".', 4, undefined],
        ['document.unknown-field', 'There is no field "nodes[0].parms".', 9, 'n'],
      ]),
    );
    expect(findings).toHaveLength(2);
  });

  it('names missing and ill-typed fields', () => {
    const { findings } = parseDocument(
      `${head}nodes:\n  - id: N\n    kind: data.transform\n    version: one\nedges:\n  - from: a.b\n`,
    );
    expect(findings.map(({ code, line }) => [code, line])).toEqual([
      ['document.invalid-field', 5],
      ['document.invalid-field', 7],
      ['document.missing-field', 9],
    ]);
  });

  it('names newer formats, and asks for one', () => {
    expect(first('forge: 3\nfuture: true\n')).toMatchObject({
      code: 'document.newer',
      message: 'This document is format 3; this build reads up to 1.',
      line: 1,
    });
    expect(first('id: a\n')).toMatchObject({ code: 'document.format' });
    expect(first('forge: "1"\n')).toMatchObject({ code: 'document.format', line: 1 });
    expect(first('')).toMatchObject({ code: 'document.empty' });
    expect(first('- 1\n')).toMatchObject({ code: 'document.empty' });
  });

  it.each([
    ['a tag', `${head}nodes: !secret []\n`, 'document.tag', 4],
    ['a broken line', `${head}nodes: [\n`, 'document.syntax', 5],
    ['a repeated key', `${head}title: B\nnodes: []\n`, 'document.syntax', 4],
    ['two documents', `${head}nodes: []\n---\na: 1\n`, 'document.syntax', 5],
    [
      'a number that is none',
      `${head}nodes:\n  - { id: n, kind: k, version: 1, params: { x: .nan } }\n`,
      'document.invalid-field',
      5,
    ],
    [
      'a prototype',
      `${head}nodes:\n  - id: n\n    kind: k\n    version: 1\n    params:\n      __proto__: 1\n`,
      'document.unknown-field',
      9,
    ],
  ])('refuses %s with its line', (_, text, code, line) => {
    expect(first(text)).toMatchObject({ code, line });
  });

  it('refuses broken JSON and repeated keys in it with their line', () => {
    expect(first('{\n  "forge": 1,\n  "id": ]\n', 'a.json')).toMatchObject({ code: 'document.syntax', line: 3 });
    expect(first('{\n  "forge": 1,\n  "forge": 1\n}\n')).toMatchObject({ code: 'document.syntax', line: 3 });
  });

  it('reads JSON that YAML would not', () => {
    const key = 'k'.repeat(2_000);
    const document = documentOf({ nodes: [{ id: 'n', kind: 'k', version: 1, params: { [key]: '\ud83d\ude00/' } }] });
    expect(parseDocument(`${JSON.stringify(document, null, '\t')}`).document).toEqual(document);
  });

  it('refuses what is too large, too deep, or grows by aliases', () => {
    expect(first(' '.repeat(MAX_DOCUMENT_LENGTH + 1))).toMatchObject({ code: 'document.too-large' });
    expect(first(`${head}nodes: ${'['.repeat(20_000)}`)?.code).toMatch(/^document\.(too-deep|syntax)$/);
    expect(first(`{"forge":1,"id":${'['.repeat(20_000)}${']'.repeat(20_000)}}`)?.code).toMatch(
      /^document\.(too-deep|invalid-field)$/,
    );
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (const [before, name] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg', 'gh', 'hi'].map((pair) => [...pair])) {
      bomb.push(`${name}: &${name} [${Array(9).fill(`*${before}`).join(', ')}]`);
    }
    expect(first(`${head}${bomb.join('\n')}\n`)).toMatchObject({ code: 'document.aliases' });
  });

  it('reads a few aliases as what they stand for', () => {
    const text = `${head}nodes:\n  - { id: a, kind: k, version: 1, params: &p { x: 1 } }\n  - { id: b, kind: k, version: 1, params: *p }\n`;
    expect(parseDocument(text).document?.nodes.map(({ params }) => params)).toEqual([{ x: 1 }, { x: 1 }]);
  });
});
