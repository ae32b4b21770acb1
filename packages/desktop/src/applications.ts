/** How an application is started, and what shows that it has opened a file. */
export interface Launcher {
  command: readonly string[];
  /** `lock-file`: LibreOffice's lock beside the document. `window`: a window whose title holds the file's name. */
  ready: 'lock-file' | 'window';
}

const office = (mode: string): Launcher => ({
  command: ['soffice', mode, '--norestore', '--nologo'],
  ready: 'lock-file',
});
const window = (...command: string[]): Launcher => ({ command, ready: 'window' });

/** Applications that a setup can open. */
export const applications: Readonly<Record<string, Launcher>> = {
  'libreoffice-calc': office('--calc'),
  'libreoffice-writer': office('--writer'),
  'libreoffice-impress': office('--impress'),
  chromium: window('chromium', '--no-first-run', '--no-default-browser-check'),
  firefox: window('firefox'),
  gimp: window('gimp', '--no-splash'),
  'text-editor': window('mousepad'),
  thunderbird: window('thunderbird'),
  vlc: window('vlc'),
};
