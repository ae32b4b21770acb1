/** How an application is started, and what shows that it has opened a file. */
export interface Launcher {
  command: readonly string[];
  /** `lock-file`: LibreOffice's lock beside the document. `window`: a window whose title holds the file's name. */
  ready: 'lock-file' | 'window';
  /** Part of the class of its windows, whatever the case. */
  window: string;
  /** What titles of its windows hold, where that is not the application's name. */
  title?: string;
  /** Part of the name of its program, where that is not the command's. */
  process?: string;
}

const office = (mode: string): Launcher => ({
  command: ['soffice', mode, '--norestore', '--nologo'],
  ready: 'lock-file',
  window: 'libreoffice',
});
const named = (window: string, ...command: string[]): Launcher => ({ command, ready: 'window', window });

/** Applications that a setup can open. */
export const applications: Readonly<Record<string, Launcher>> = {
  'libreoffice-calc': office('--calc'),
  'libreoffice-writer': office('--writer'),
  'libreoffice-impress': office('--impress'),
  chromium: named('chromium', 'chromium', '--no-first-run', '--no-default-browser-check'),
  firefox: named('firefox', 'firefox'),
  gimp: { ...named('gimp', 'gimp', '--no-splash'), title: 'GNU Image Manipulation' },
  'text-editor': { ...named('mousepad', 'mousepad'), title: 'Mousepad' },
  'code-editor': { ...named('code', 'code'), title: 'Visual Studio Code', process: '/opt/editor/bin/node' },
  thunderbird: named('thunderbird', 'thunderbird'),
  vlc: named('vlc', 'vlc'),
};
