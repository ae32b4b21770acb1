import { ForgeError } from '@cua-forge/spec/errors';
import { defineKind, output, policies } from '@cua-forge/spec/kind';
import { DesktopSettings } from '@cua-forge/spec/setup-operations';
import { SetupOperation } from '@cua-forge/spec/task';
import { z } from 'zod';

export const desktop = defineKind({
  id: 'setup.desktop',
  version: 1,
  title: 'Set the desktop up',
  doc: 'Makes the operation that sets theme, wallpaper, text size, keyboard, screen, time zone, language or screensaver.',
  params: z
    .strictObject(DesktopSettings.shape)
    .refine((settings) => Object.values(settings).some((value) => value !== undefined), {
      error: 'at least one setting',
    }),
  inputs: {},
  outputs: { operation: output('operation', SetupOperation, 'The operation, for setup.script.') },
  policy: policies.cheap,
  example: { params: { timeZone: 'Europe/Berlin', keyboardLayout: 'de', screensaver: 'off' }, inputs: {} },
  async execute({ params: settings }) {
    if (settings.timeZone !== undefined && !isTimeZone(settings.timeZone))
      throw new ForgeError('params.invalid', `There is no time zone ${settings.timeZone}.`, {
        fix: 'Use a name such as Europe/Berlin, America/New_York or UTC.',
      });
    return { operation: { op: 'desktop' as const, settings } };
  },
});

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
