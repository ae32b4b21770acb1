import { type Header, pack } from 'tar-stream';
import { expect, it } from 'vitest';
import { filesOfTar, packageOfFiles } from './package-files.ts';
import { packFiles } from './package-folder.ts';
import { samplePackage } from './testing/sample-package.ts';

const replaced = async (path: string, text: string) =>
  (await samplePackage()).map((file) =>
    file.path === path ? { ...file, bytes: new TextEncoder().encode(text) } : file,
  );

it('reads back what was packed', async () => {
  const files = await samplePackage();
  const archive = await packFiles(
    'sample-1-abc',
    files.map(({ path, bytes, executable }) => ({ path, bytes, mode: executable ? 0o755 : 0o644 })),
  );
  const read = await filesOfTar(archive);
  expect(read.map(({ path, executable }) => [path, executable])).toEqual(
    files.map(({ path, executable }) => [path, executable]),
  );
  const loaded = packageOfFiles(read);
  expect(loaded.package.manifest.id).toBe('sample-1-abc');
  expect(loaded.bytes.size).toBe(files.length);
});

it('says which part is missing or wrong', async () => {
  const files = await samplePackage();
  expect(() => packageOfFiles(files.filter(({ path }) => path !== 'rubric.json'))).toThrow(/no rubric\.json/);
  expect(() => packageOfFiles([])).toThrow(/no task\.json, no instruction\.md/);
  for (const [path, text, message] of [
    ['task.json', '{', /task\.json is not JSON/],
    ['rubric.json', '{"criteria":[]}', /rubric\.json is not right/],
    ['setup/setup.json', '{"operations":[{"op":"fly"}]}', /setup\.json is not right/],
    ['files/Bücher 2024.xlsx', 'changed', /was changed/],
  ] as const) {
    const changed = await replaced(path, text);
    expect(() => packageOfFiles(changed), path).toThrow(message);
  }
});

it.each<[string, Pick<Header, 'name'> & Partial<Header>]>([
  ['a path that leaves the folder', { name: 'a/../../etc/passwd' }],
  ['an absolute path', { name: '/etc/passwd' }],
  ['a link', { name: 'a/b', type: 'symlink', linkname: '/etc/passwd' }],
])('refuses an archive with %s', async (_, header) => {
  const archive = pack();
  if (header.type === undefined) archive.entry(header, 'x');
  else archive.entry(header);
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) if (chunk instanceof Buffer) chunks.push(chunk);
  await expect(filesOfTar(Buffer.concat(chunks))).rejects.toMatchObject({ code: 'input.invalid' });
});

it('refuses what is no archive', async () => {
  await expect(filesOfTar(new TextEncoder().encode('not a tar'.repeat(200)))).rejects.toMatchObject({
    code: 'input.invalid',
  });
});
