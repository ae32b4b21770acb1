import { z } from 'zod';
import { Done } from '../api/done.ts';
import type { ApiRoute } from '../api-route.ts';
import { ChangeSchedule, CreateSchedule, ScheduleList, ScheduleView } from '../schedule.ts';

/** Batches by the clock. */
export const schedulesRoutes = {
  createSchedule: {
    method: 'POST',
    path: '/schedules',
    summary: 'Starts batches of a document by the clock or at intervals, with the document and inputs as they are now.',
    role: 'operator',
    body: CreateSchedule,
    answers: ScheduleView,
    status: 201,
    starts: true,
    audit: { action: 'schedule.create', keep: ['documentId', 'count', 'seed', 'overlap'] },
  },
  schedules: {
    method: 'GET',
    path: '/schedules',
    summary: 'Schedules, newest first: whether each is paused, its next times and what it began last.',
    role: 'viewer',
    query: z.strictObject({ limit: z.coerce.number<number>().int().min(1).max(200).default(100) }),
    answers: ScheduleList,
  },
  schedule: {
    method: 'GET',
    path: '/schedules/:id',
    summary: 'One schedule.',
    role: 'viewer',
    answers: ScheduleView,
  },
  changeSchedule: {
    method: 'PUT',
    path: '/schedules/:id',
    summary: 'Changes what a schedule runs and when; what is left out stays. Batches that it began stay as they are.',
    role: 'operator',
    body: ChangeSchedule,
    answers: ScheduleView,
    repeatable: true,
    audit: { action: 'schedule.change', keep: ['revision', 'count', 'seed', 'overlap', 'prove'] },
  },
  pauseSchedule: {
    method: 'POST',
    path: '/schedules/:id/pause',
    summary: 'Begins no more batches by itself; those in progress go on.',
    role: 'operator',
    answers: ScheduleView,
    repeatable: true,
    audit: { action: 'schedule.pause' },
  },
  resumeSchedule: {
    method: 'POST',
    path: '/schedules/:id/resume',
    summary: 'Lets a paused schedule act again at its next time.',
    role: 'operator',
    answers: ScheduleView,
    repeatable: true,
    audit: { action: 'schedule.resume' },
  },
  triggerSchedule: {
    method: 'POST',
    path: '/schedules/:id/trigger',
    summary: 'Begins a batch of a schedule now, also of one that is paused or has one in progress.',
    role: 'operator',
    answers: ScheduleView,
    audit: { action: 'schedule.trigger' },
  },
  deleteSchedule: {
    method: 'DELETE',
    path: '/schedules/:id',
    summary: 'Ends a schedule; batches that it began go on.',
    role: 'operator',
    answers: Done,
    audit: { action: 'schedule.delete' },
  },
} as const satisfies Record<string, ApiRoute>;
