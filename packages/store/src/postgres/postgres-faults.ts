import { ForgeError, toForgeError } from '@cua-forge/spec/errors';

/** SQLSTATE or its class (two characters) → what it means to the caller. */
const meanings: Readonly<Record<string, 'full' | 'busy' | 'unreachable'>> = {
  '53100': 'full',
  '53300': 'busy',
  '55P03': 'busy',
  '40001': 'busy',
  '40P01': 'busy',
  '25P03': 'unreachable',
  '57P01': 'unreachable',
  '57P02': 'unreachable',
  '57P03': 'unreachable',
  '08': 'unreachable',
};
const networkCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);
/** The driver gives these no code. */
const lostConnection =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error)/;

/** Turns what the driver throws into the product's errors; what it does not know is `internal`. */
export function toPostgresError(thrown: unknown): ForgeError {
  if (thrown instanceof ForgeError || !(thrown instanceof Error)) return toForgeError(thrown);
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
  const meaning = meanings[code] ?? meanings[code.slice(0, 2)];
  if (meaning === 'full') {
    return new ForgeError('store.full', 'The disk of the database is full.', {
      fix: 'Free some space there; the work is tried again by itself.',
      cause: thrown,
    });
  }
  if (meaning === 'busy') {
    return new ForgeError('store.busy', `The database is busy: ${thrown.message}.`, { cause: thrown });
  }
  if (meaning === 'unreachable' || networkCodes.has(code) || lostConnection.test(thrown.message)) {
    return new ForgeError('store.unreachable', `The database does not answer: ${thrown.message}.`, {
      fix: 'See that it runs and that DATABASE_URL names it; the work is tried again by itself.',
      cause: thrown,
    });
  }
  return toForgeError(thrown);
}
