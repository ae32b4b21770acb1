import { describe, expect, it } from 'vitest';
import type { Finding } from './document.ts';
import { parseDocument } from './document-io.ts';
import { readSource } from './document-source.ts';
import { locateFindings } from './locate-findings.ts';

const text = `forge: 1
id: sample
title: Sample
inputs:
  word: { type: text }
nodes:
  - id: first
    kind: test.echo
    version: 1
    params:
      suffix: 3
  - id: second
    kind: test.echo
    version: 1
edges:
  - from: first.value
    to: second.value
outputs:
  lost: gone.value
graphs:
  body:
    nodes:
      - id: inner
        kind: test.echo
        version: 1
`;

describe('locateFindings', () => {
  const finding = (place: Partial<Finding>): Finding => ({
    code: 'x',
    severity: 'error',
    message: 'm',
    fix: 'f',
    ...place,
  });
  it.each([
    [{ node: 'first', param: 'suffix' }, 11],
    [{ node: 'second' }, 12],
    [{ node: 'second', port: 'value' }, 16],
    [{ node: 'second', port: 'other' }, 12],
    [{ port: 'word' }, 5],
    [{ graph: 'body', node: 'inner' }, 23],
    [{ node: 'gone' }, 19],
    [{}, undefined],
    [{ line: 3, node: 'first' }, 3],
  ])('%j stands in line %j', (place, line) => {
    const { document } = parseDocument(text);
    if (document === null) throw new Error('not a document');
    expect(locateFindings([finding(place)], document, readSource(text))[0]?.line).toBe(line);
  });
});
