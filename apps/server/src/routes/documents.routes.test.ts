import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  DocumentFindings,
  DocumentGraph,
  DocumentList,
  DocumentView,
  RevisionList,
} from '@cua-forge/spec/api/documents';
import { serializeYaml } from '@cua-forge/spec/document-io';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shipSkills } from '../documents/ship-skills.ts';
import { startTestServer, type TestServer, twoEchoes } from '../testing/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.stop());

const put = (body: object, id = 'two-echoes') => server.call('PUT', `/api/documents/${id}`, body);

describe('documents', () => {
  it('are saved with a revision check', async () => {
    const first = DocumentView.parse((await put({ document: twoEchoes, expectedRevision: null })).body);
    expect(first.record.revision).toBe(1);
    expect(first.document).toEqual(twoEchoes);
    expect((await put({ document: twoEchoes, expectedRevision: null })).status).toBe(409);
    const renamed = { ...twoEchoes, title: 'Renamed' };
    expect(DocumentView.parse((await put({ document: renamed, expectedRevision: 1 })).body).record.revision).toBe(2);
    expect((await put({ document: twoEchoes, expectedRevision: 1 })).status).toBe(409);
    expect((await server.call('GET', '/api/documents')).body).toMatchObject({
      documents: [{ id: 'two-echoes', title: 'Renamed' }],
      next: null,
    });
  });

  it('keep every revision, which can be listed and read as it was', async () => {
    await put({ document: twoEchoes, expectedRevision: null });
    for (const revision of [1, 2])
      await put({ document: { ...twoEchoes, title: `Title ${revision}` }, expectedRevision: revision });
    const address = '/api/documents/two-echoes/revisions';
    const first = RevisionList.parse((await server.call('GET', `${address}?limit=2`)).body);
    expect(first.revisions.map(({ revision, title }) => [revision, title])).toEqual([
      [3, 'Title 2'],
      [2, 'Title 1'],
    ]);
    const rest = RevisionList.parse((await server.call('GET', `${address}?limit=2&before=${first.next}`)).body);
    expect(rest.revisions.map(({ revision }) => revision)).toEqual([1]);
    expect(rest.next).toBeNull();
    expect(DocumentView.parse((await server.call('GET', `${address}/1`)).body).document).toEqual(twoEchoes);
    expect((await server.call('GET', `${address}/9`)).status).toBe(404);
    expect((await server.call('GET', '/api/documents/none/revisions')).status).toBe(404);
  });

  it('come in two parts as well: the graph first, what stands against a revision then', async () => {
    const broken = { ...twoEchoes, edges: [{ from: 'nobody.value', to: 'nothing.value' }] };
    await put({ document: broken, expectedRevision: null });
    const whole = DocumentView.parse((await server.call('GET', '/api/documents/two-echoes')).body);
    const { source: _, ...record } = whole.record;
    const graph = DocumentGraph.parse((await server.call('GET', '/api/documents/two-echoes/graph')).body);
    expect(graph).toEqual({ record, document: whole.document });
    const address = '/api/documents/two-echoes/revisions';
    const { findings } = DocumentFindings.parse((await server.call('GET', `${address}/1/findings`)).body);
    expect(findings.length).toBeGreaterThan(0);
    expect(findings).toEqual(whole.findings);
    expect((await server.call('GET', `${address}/2/findings`)).status).toBe(404);
    expect((await server.call('GET', '/api/documents/none/graph')).status).toBe(404);
  });

  it('are listed page by page', async () => {
    const named = (id: string, title: string) => ({ ...twoEchoes, id, title });
    for (const [id, title] of [
      ['c', 'Same'],
      ['a', 'Same'],
      ['b', 'Another'],
    ] as const)
      await server.call('PUT', `/api/documents/${id}`, { document: named(id, title), expectedRevision: null });
    const first = DocumentList.parse((await server.call('GET', '/api/documents?limit=2')).body);
    const rest = DocumentList.parse((await server.call('GET', `/api/documents?limit=2&cursor=${first.next}`)).body);
    expect([...first.documents, ...rest.documents].map(({ id }) => id)).toEqual(['b', 'a', 'c']);
    expect((await server.call('GET', '/api/documents?cursor=nonsense')).status).toBe(400);
  });

  it('keep the text they were saved as, with its comments, and may be unfinished', async () => {
    const source = `# mine\n${serializeYaml({ ...twoEchoes, edges: [] })}`;
    const view = DocumentView.parse((await put({ source, expectedRevision: null })).body);
    expect(view.record.source).toBe(source);
    expect(view.findings.some((finding) => finding.severity === 'error')).toBe(true);
  });

  it('are refused when they are no documents, or are others than the address says', async () => {
    const broken = await put({ source: 'forge: 1\nid: two-echoes\ncolour: red\n', expectedRevision: null });
    expect(broken.status).toBe(422);
    expect(broken.body).toMatchObject({
      findings: expect.arrayContaining([expect.objectContaining({ message: expect.stringContaining('colour') })]),
    });
    expect((await put({ document: twoEchoes, expectedRevision: null }, 'another')).status).toBe(400);
    expect((await put({ expectedRevision: null })).status).toBe(400);
    expect((await server.call('GET', '/api/documents/none')).status).toBe(404);
  });

  it('are validated without being saved', async () => {
    const good = await server.call('POST', '/api/validate', { source: serializeYaml(twoEchoes) });
    expect(good.body).toMatchObject({ ok: true });
    const bad = await server.call('POST', '/api/validate', { source: serializeYaml({ ...twoEchoes, edges: [] }) });
    expect(bad.body).toMatchObject({ ok: false });
  });

  it('hold pins by node', async () => {
    await put({ document: twoEchoes, expectedRevision: null });
    await server.call('PUT', '/api/documents/two-echoes/pins/first', { outputs: { value: 'pinned' } });
    expect((await server.call('GET', '/api/documents/two-echoes/pins')).body).toMatchObject({
      first: { value: { preview: 'pinned' } },
    });
    const run = await server.call('POST', '/api/runs', {
      documentId: 'two-echoes',
      inputs: { word: 'x' },
      usePins: true,
    });
    expect(run.body).toMatchObject({ edits: { first: { pinned: { value: { preview: 'pinned' } } } } });
    expect((await server.call('PUT', '/api/documents/two-echoes/pins/none', { outputs: {} })).status).toBe(400);
    await server.call('PUT', '/api/documents/two-echoes/pins/first', { outputs: null });
    expect((await server.call('GET', '/api/documents/two-echoes/pins')).body).toEqual({});
  });
});

describe('shipped skills', () => {
  const ship = () => shipSkills(server.services, join(server.folder, 'shipped.json'));
  const skill = () => join(server.folder, 'skills', 'two-echoes', 'workflow.yaml');
  const title = async () => (await server.store.meta.getDocument('two-echoes'))?.title;
  const release = async (name: string) => writeFile(skill(), serializeYaml({ ...twoEchoes, title: name }));

  it('are added, updated while nobody edited them, and then left alone', async () => {
    expect(await ship()).toMatchObject({ added: ['two-echoes'] });
    expect(await ship()).toEqual({ added: [], updated: [], edited: [], broken: [] });
    await release('Release 2');
    expect(await ship()).toMatchObject({ updated: ['two-echoes'] });
    expect(await title()).toBe('Release 2');

    await put({ document: { ...twoEchoes, title: 'Mine' }, expectedRevision: 2 });
    await release('Release 3');
    expect(await ship()).toMatchObject({ edited: ['two-echoes'], updated: [] });
    expect(await title()).toBe('Mine');
  });

  it('are not overwritten when it is forgotten what was shipped', async () => {
    await ship();
    await writeFile(join(server.folder, 'shipped.json'), 'rubbish');
    await release('Release 2');
    expect(await ship()).toMatchObject({ edited: ['two-echoes'] });
    expect(JSON.parse(await readFile(join(server.folder, 'shipped.json'), 'utf8'))).toEqual({});
  });

  it('that cannot be read are named, and the others still come', async () => {
    await writeFile(skill(), 'forge: 99');
    expect(await ship()).toMatchObject({ broken: ['two-echoes'], added: [] });
  });
});
