import { z } from 'zod';
import { PackageList, PackageView, VerdictFilter } from '../api/packages.ts';
import type { ApiRoute } from '../api-route.ts';
import { KeepDemonstration } from '../desktops.ts';
import {
  PackageReview,
  RejectedExamples,
  ReviewList,
  ReviewPackage,
  ReviewPackages,
  ReviewSummary,
} from '../review.ts';
import { PackageRecord, RunRecord } from '../store-port.ts';
import { cursor, limit } from './params.ts';

/** Task packages and their reviews. */
export const packagesRoutes = {
  packages: {
    method: 'GET',
    path: '/packages',
    summary: 'Task packages, newest first, by what people think of them too; `next` is the cursor of the next page.',
    role: 'viewer',
    query: z.strictObject({
      batchId: z.string().optional(),
      runId: z.string().optional(),
      skill: z.string().optional(),
      verdict: VerdictFilter.optional(),
      limit: limit.default(1000),
      cursor,
    }),
    answers: PackageList,
  },
  package: {
    method: 'GET',
    path: '/packages/:id',
    summary: 'One task package with its contents, and what people think of it.',
    role: 'viewer',
    answers: PackageView,
  },
  keepDemonstration: {
    method: 'POST',
    path: '/packages/:id/demonstration',
    summary:
      'Makes what a person did on a desktop the reference solution of a task package, in place of the one it has.',
    role: 'operator',
    body: KeepDemonstration,
    answers: PackageRecord,
    audit: { action: 'package.solution' },
  },
  importPackage: {
    method: 'POST',
    path: '/packages',
    summary: 'Takes up a task package from its .tar. The same package again changes nothing.',
    role: 'author',
    body: 'bytes',
    answers: PackageRecord,
    status: 201,
    repeatable: true,
    audit: { action: 'package.import' },
  },
  provePackage: {
    method: 'POST',
    path: '/packages/:id/prove',
    summary:
      'Starts a run that proves a package in sandboxes. When it has ended, the package has the proof, whatever the verdict.',
    role: 'author',
    answers: RunRecord,
    status: 201,
    starts: true,
    audit: { action: 'package.prove' },
  },
  packageArchive: {
    method: 'GET',
    path: '/packages/:id/archive',
    summary: 'A task package as a .tar; without its hidden folder for viewers.',
    role: 'viewer',
    answers: 'bytes',
  },
  packageReviews: {
    method: 'GET',
    path: '/packages/:id/reviews',
    summary: 'Every verdict of people on a package, newest first: the first holds.',
    role: 'viewer',
    answers: ReviewList,
  },
  reviewPackage: {
    method: 'PUT',
    path: '/packages/:id/review',
    summary: 'Accepts or rejects a package, or takes a verdict back. The same again by the same user adds nothing.',
    role: 'author',
    body: ReviewPackage,
    answers: PackageReview,
    repeatable: true,
    audit: { action: 'package.review', keep: ['verdict', 'reason'] },
  },
  reviewPackages: {
    method: 'POST',
    path: '/packages/reviews',
    summary: 'The same verdict on several packages, all or none.',
    role: 'author',
    body: ReviewPackages,
    answers: ReviewList,
    repeatable: true,
    audit: { action: 'package.review', keep: ['ids', 'verdict', 'reason'] },
  },
  reviews: {
    method: 'GET',
    path: '/reviews',
    summary: 'How many packages of each skill people accepted, rejected for which reason, or have not looked at.',
    role: 'viewer',
    query: z.strictObject({ skill: z.string().optional(), batchId: z.string().optional() }),
    answers: ReviewSummary,
  },
  rejectedExamples: {
    method: 'GET',
    path: '/reviews/examples',
    summary: 'What gates were shown of packages that people rejected for a fault these gates look for, newest first.',
    role: 'author',
    query: z.strictObject({
      skill: z.string().optional(),
      gate: z.string().optional(),
      limit: z.coerce.number<number>().int().min(1).max(100).default(20),
      cursor,
    }),
    answers: RejectedExamples,
  },
} as const satisfies Record<string, ApiRoute>;
