import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { writePrivate } from '@cua-forge/secrets/file-secrets';
import type { Role } from '@cua-forge/spec/api-route';
import { ForgeError } from '@cua-forge/spec/errors';
import { UserFile, UserName } from '@cua-forge/spec/users';
import { exitCodes } from './exit-code.ts';
import { type Output, printResult, tableText } from './output.ts';

/** The file that FORGE_TOKENS names. @throws ForgeError `input.invalid` */
export function usersFile(named: string | undefined): string {
  if (named !== undefined && named !== '') return named;
  throw new ForgeError('input.invalid', 'FORGE_TOKENS does not say in which file the users are.', {
    fix: 'Set it to a path, for the server too: export FORGE_TOKENS=/etc/forge/users.json',
  });
}

/** @throws ForgeError `input.invalid` when the file is none of users */
async function readUsers(file: string): Promise<UserFile['users']> {
  try {
    return UserFile.parse(JSON.parse(await readFile(file, 'utf8'))).users;
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return [];
    throw new ForgeError('input.invalid', `${file} is no file of users.`, {
      fix: 'Set FORGE_TOKENS to another path, or move the file away.',
      cause,
    });
  }
}

const writeUsers = (file: string, users: UserFile['users']): Promise<void> =>
  writePrivate(file, `${JSON.stringify({ users }, null, 2)}\n`);

/** Makes a user, or a new token for one that is there. The token is printed once and kept nowhere. */
export async function addUser(file: string, name: string, role: Role, output: Output): Promise<number> {
  const valid = UserName.safeParse(name);
  if (!valid.success) {
    throw new ForgeError('input.invalid', `"${name}" cannot be a name of a user.`, {
      fix: 'Use letters, digits, dots, dashes and underscores, at most 64.',
    });
  }
  const users = await readUsers(file);
  const token = randomBytes(32).toString('base64url');
  const hash = createHash('sha256').update(token).digest('hex');
  const others = users.filter((user) => user.name !== name);
  await writeUsers(file, [...others, { name, role, hash, createdAt: new Date().toISOString() }]);
  const replaced = others.length < users.length;
  printResult(
    output,
    { name, role, token, replaced },
    () =>
      `${token}\n\nThis is the token of ${name} (${role})${replaced ? '; the one before has ended' : ''}. It is shown once.`,
  );
  return exitCodes.done;
}

export async function listUsers(file: string, output: Output): Promise<number> {
  const users = (await readUsers(file)).map(({ name, role, createdAt }) => ({ name, role, createdAt }));
  printResult(output, users, () =>
    users.length === 0
      ? 'There are no users.'
      : tableText(
          ['user', 'role', 'token since'],
          users.map((user) => [user.name, user.role, user.createdAt]),
        ),
  );
  return exitCodes.done;
}

/** @throws ForgeError `not-found` */
export async function removeUser(file: string, name: string, output: Output): Promise<number> {
  const users = await readUsers(file);
  const others = users.filter((user) => user.name !== name);
  if (others.length === users.length) {
    throw new ForgeError('not-found', `${file} has no user "${name}".`, { fix: '`forge users list` shows them.' });
  }
  await writeUsers(file, others);
  printResult(output, { removed: name }, () => `${name} may not enter any more; sessions and token have ended.`);
  return exitCodes.done;
}
