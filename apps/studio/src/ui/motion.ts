/** A movement of so many milliseconds; at once for people who want less motion. */
export const movement = (duration: number): { duration?: number } =>
  matchMedia('(prefers-reduced-motion: reduce)').matches ? {} : { duration };
