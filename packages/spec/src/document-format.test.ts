import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compile } from './compile.ts';
import { parseDocument, serializeYaml } from './document-io.ts';
import { kinds as shippedKinds } from './kinds.ts';
import { sha256 } from './testing/sample-document.ts';
import { sampleKinds } from './testing/sample-kinds.ts';
import { validateDocument } from './validate-document.ts';

const source = new URL('./', import.meta.url);
const page = readFileSync(new URL('../../../docs/authoring/document-format.md', source), 'utf8');
const example = /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? '';

describe("the author's reference", () => {
  const { document, findings } = parseDocument(example, { file: 'example.yaml' });

  it('has an example that parses, and is written back as it stands', () => {
    expect(findings).toEqual([]);
    const again = document === null ? null : parseDocument(serializeYaml(document)).document;
    expect(again).toEqual(document);
  });

  const used = new Set(document?.nodes.map(({ kind }) => kind));
  const shipped = [...used].every((id) => shippedKinds.some((kind) => kind.id === id));

  const check = (kinds: typeof sampleKinds) => {
    if (document === null) throw new Error('The example does not parse.');
    expect(validateDocument(document, kinds)).toEqual([]);
    const { plan } = compile(document, kinds, sha256);
    expect(Object.keys(plan.scopes)).toEqual(['$main', 'price-line']);
    expect(plan.scopes.$main?.nodes.find(({ id }) => id === 'total')?.handlesError).toBe(true);
  };

  it('has an example without a finding, which compiles', () => check(sampleKinds));
  it.skipIf(!shipped)('has an example that fits the shipped kinds', () => check(shippedKinds));

  it('lists every code that a finding may have', () => {
    const files = readdirSync(source).filter((name) =>
      /^(validate|edge-check|document-(io|source))[a-z-]*\.ts$/.test(name),
    );
    const code =
      /['"`](document|node|kind|params|edge|port|graph|map|repeat|output|input|repair)\.([a-z]+(?:-[a-z]+)*)['"`]/g;
    const codes = files.flatMap((name) => [...readFileSync(new URL(name, source), 'utf8').matchAll(code)]);
    expect(codes.length).toBeGreaterThan(30);
    for (const [, family, name] of codes) {
      const listed =
        page.includes(`\`${family}.${name}\``) || (page.includes(`\`${family}.`) && page.includes(`\`.${name}\``));
      expect(listed, `${family}.${name}`).toBe(true);
    }
  });
});
