import type { ApiClient } from '@cua-forge/api-client/api-client';
import { secretSettings } from '@cua-forge/secrets/secret-settings';
import { AuditAction, Role } from '@cua-forge/spec/api-route';
import { type Command, Option } from 'commander';
import type { Environment } from '../bootstrap/environment.ts';
import { showAudit } from './audit.ts';
import type { Output } from './output.ts';
import { listSecrets, removeSecret, setSecret, type WritablePlace } from './secrets.ts';
import { addUser, listUsers, removeUser, usersFile } from './users.ts';

/** What the commands of a program share. */
export interface CommandKit {
  program: Command;
  command(name: string, parent?: Command): Command;
  env: Environment;
  dataFolder(): string;
  output: Output;
  /** All of standard input, or what a person types without it being shown. */
  readSecret(): Promise<string>;
  done(code: number): void;
  embedded(work: (api: ApiClient) => Promise<number>): Promise<void>;
  positive(text: string): number;
}

/** `users`, `secrets` and `audit`. */
export function addAccessCommands(kit: CommandKit): void {
  const { program, command, env, output, done, embedded, positive } = kit;

  const users = program.command('users').description('who may use the server: the file that FORGE_TOKENS names');
  command('list', users)
    .description('users and their roles')
    .action(async () => done(await listUsers(usersFile(env.FORGE_TOKENS), output)));
  command('add', users)
    .description('make a user, or a new token for one; prints the token once')
    .argument('<name>')
    .addOption(new Option('--role <role>', 'what the user may do').choices(Role.options).default('author'))
    .action(async (name: string, { role }: { role: Role }) =>
      done(await addUser(usersFile(env.FORGE_TOKENS), name, role, output)),
    );
  command('remove', users)
    .description('end a token and the sessions opened with it')
    .argument('<name>')
    .action(async (name: string) => done(await removeUser(usersFile(env.FORGE_TOKENS), name, output)));

  const settings = () => secretSettings(env, kit.dataFolder());
  const place = () => new Option('--to <place>', 'file or keyring').choices(['file', 'keyring']).default('file');
  const secrets = program.command('secrets').description('secrets by name; values are never shown');
  command('list', secrets)
    .description('names and where they lie')
    .action(async () => done(await listSecrets(settings(), env, output)));
  command('set', secrets)
    .description('keep a secret; its value is read from standard input')
    .argument('<name>')
    .addOption(place())
    .action(async (name: string, { to }: { to: WritablePlace }) =>
      done(await setSecret({ place: to, name, value: await kit.readSecret(), file: settings().file }, output)),
    );
  command('remove', secrets)
    .description('forget a secret')
    .argument('<name>')
    .addOption(new Option('--from <place>', 'file or keyring').choices(['file', 'keyring']).default('file'))
    .action(async (name: string, { from }: { from: WritablePlace }) =>
      done(await removeSecret({ place: from, name, file: settings().file }, output)),
    );

  command('audit')
    .description('who did what, newest first')
    .option('--user <name>')
    .addOption(new Option('--action <action>').choices(AuditAction.options))
    .option('--target <id>', 'document, run or batch')
    .option('--limit <n>', 'how many', positive, 50)
    .action((filter: { user?: string; action?: AuditAction; target?: string; limit: number }) => {
      const { user, action, target, limit } = filter;
      return embedded((api) =>
        showAudit(api, output, {
          limit,
          ...(user === undefined ? {} : { user }),
          ...(action === undefined ? {} : { action }),
          ...(target === undefined ? {} : { target }),
        }),
      );
    });
}
