import { z } from 'zod';
import type { ApiRoute } from '../api-route.ts';
import { CostBy, CostTable, SpendingOverTime } from '../costs.ts';
import { SkillList } from '../skills-view.ts';
import { limit, Moment } from './params.ts';

/** Costs and skills. */
export const costsRoutes = {
  costs: {
    method: 'GET',
    path: '/costs',
    summary: 'What model calls cost, by node, run, skill, batch or model; rehearsals never count.',
    role: 'viewer',
    query: z.strictObject({
      by: CostBy.default('skill'),
      run: z.string().optional(),
      batch: z.string().optional(),
      from: Moment.optional(),
      to: Moment.optional(),
      limit: limit.default(100),
    }),
    answers: CostTable,
  },
  spendingOverTime: {
    method: 'GET',
    path: '/costs/over-time',
    summary: 'Tokens and money of model calls in equal stretches of time; rehearsals never count.',
    role: 'viewer',
    query: z.strictObject({
      run: z.string().optional(),
      batch: z.string().optional(),
      skill: z.string().optional(),
      from: Moment,
      to: Moment.optional(),
      points: limit.default(200),
    }),
    answers: SpendingOverTime,
  },
  skills: {
    method: 'GET',
    path: '/skills',
    summary: 'Every skill that ran: acceptance, cost, failures, versions, newest batches.',
    role: 'viewer',
    answers: SkillList,
  },
} as const satisfies Record<string, ApiRoute>;
