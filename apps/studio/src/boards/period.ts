/** The last days (null: all time), or the days from one to another, both counted, in UTC as the server counts. */
export type Period = { days: number | null } | { from: string; to: string };

export const periods: readonly { days: number | null; label: string }[] = [
  { days: 1, label: 'today' },
  { days: 7, label: 'last 7 days' },
  { days: 30, label: 'last 30 days' },
  { days: 90, label: 'last 90 days' },
  { days: null, label: 'all time' },
];

const DAY_MS = 86_400_000;

/** The day so many days before today, in UTC. */
export const daysBefore = (days: number, now = Date.now()): string =>
  new Date(now - days * DAY_MS).toISOString().slice(0, 10);

/** A period as the API takes it: `to` is the day after the last one. */
export function periodQuery(period: Period, now = Date.now()): { from?: string; to?: string } {
  if ('days' in period) return period.days === null ? {} : { from: daysBefore(period.days - 1, now) };
  return { from: period.from, to: daysBefore(-1, Date.parse(period.to)) };
}
