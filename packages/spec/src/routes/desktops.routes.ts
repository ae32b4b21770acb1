import { z } from 'zod';
import { Done } from '../api/done.ts';
import type { ApiRoute } from '../api-route.ts';
import { DesktopId } from '../desktop-service.ts';
import { Desktop, DesktopList, DesktopView, EndedRecording, StartDesktop } from '../desktops.ts';

/** Desktop sandboxes and what is recorded in them. */
export const desktopsRoutes = {
  desktops: {
    method: 'GET',
    path: '/desktops',
    summary: 'Desktop sandboxes that run: whom they serve, who looks at them, what is recorded.',
    role: 'viewer',
    answers: DesktopList,
  },
  startDesktop: {
    method: 'POST',
    path: '/desktops',
    summary: 'Starts a desktop for a person, with that of a task package prepared in it where one is named.',
    role: 'operator',
    body: StartDesktop,
    answers: Desktop,
    status: 201,
    audit: { action: 'desktop.start', keep: ['provider', 'target', 'packageId'] },
  },
  endDesktop: {
    method: 'DELETE',
    path: '/desktops/:id',
    params: { id: DesktopId },
    summary: 'Ends a desktop; what was not saved outside is lost.',
    role: 'operator',
    repeatable: true,
    answers: Done,
    audit: { action: 'desktop.end' },
  },
  desktopPicture: {
    method: 'GET',
    path: '/desktops/:id/picture',
    params: { id: DesktopId },
    query: z.strictObject({
      width: z.coerce.number<number>().int().min(64).max(3840).default(480),
      at: z.coerce.number<number>().int().min(0).optional(),
    }),
    summary: 'Its screen as a JPEG of that width. Another `at` makes a browser ask again.',
    role: 'viewer',
    answers: 'bytes',
  },
  watchDesktop: {
    method: 'POST',
    path: '/desktops/:id/watch',
    params: { id: DesktopId },
    summary: 'Address of a WebSocket that shows the screen (RFB), for half a minute.',
    role: 'viewer',
    repeatable: true,
    answers: DesktopView,
  },
  controlDesktop: {
    method: 'POST',
    path: '/desktops/:id/control',
    params: { id: DesktopId },
    summary: 'The same with mouse and keyboard.',
    role: 'operator',
    repeatable: true,
    answers: DesktopView,
    audit: { action: 'desktop.control' },
  },
  startRecording: {
    method: 'POST',
    path: '/desktops/:id/recording',
    params: { id: DesktopId },
    summary: 'Keeps what people do on a desktop with mouse and keyboard from now on.',
    role: 'operator',
    answers: Desktop,
    status: 201,
    audit: { action: 'desktop.record' },
  },
  endRecording: {
    method: 'DELETE',
    path: '/desktops/:id/recording',
    params: { id: DesktopId },
    summary: 'Ends a recording and gives the actions that it amounts to.',
    role: 'operator',
    answers: EndedRecording,
  },
} as const satisfies Record<string, ApiRoute>;
