/** `start`: nothing runs without it. `test`: the tests need it. `optional`: a feature is less without it. */
export type Need = 'start' | 'test' | 'optional';

/** A program of the machine that the product uses. */
export interface ToolPart {
  id: string;
  title: string;
  purpose: string;
  need: Need;
  /** Names on PATH, or absolute paths, in the order they are tried. */
  commands: readonly string[];
  versionArgs: readonly string[];
  /** Its first group is the version. */
  versionPattern: RegExp;
  /** Packages of Debian and Ubuntu that bring it. */
  apt: readonly string[];
  /** How to get it elsewhere. */
  elsewhere: string;
}

export const toolParts: readonly ToolPart[] = [
  {
    id: 'git',
    title: 'git',
    purpose: 'records which version of a workflow made a package',
    need: 'optional',
    commands: ['git'],
    versionArgs: ['--version'],
    versionPattern: /git version (\S+)/,
    apt: ['git'],
    elsewhere: 'https://git-scm.com/downloads',
  },
  {
    id: 'chromium',
    title: 'Chromium',
    purpose: 'the studio is tested in it',
    need: 'test',
    commands: [
      'chromium',
      'chromium-browser',
      'google-chrome',
      'google-chrome-stable',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    ],
    versionArgs: ['--version'],
    versionPattern: /(\d+\.\d+[.\d]*)/,
    apt: ['chromium', 'fonts-liberation', 'fonts-dejavu-core'],
    elsewhere: 'brew install --cask google-chrome',
  },
  {
    id: 'soffice',
    title: 'LibreOffice',
    purpose: 'opens prepared documents, so that a package can say they open; without it they are marked as not opened',
    need: 'test',
    commands: ['soffice', 'libreoffice', '/Applications/LibreOffice.app/Contents/MacOS/soffice'],
    versionArgs: ['--version'],
    versionPattern: /LibreOffice (\S+)/,
    apt: ['libreoffice-calc', 'libreoffice-writer', 'libreoffice-impress'],
    elsewhere: 'brew install --cask libreoffice',
  },
  {
    id: 'python3',
    title: 'Python',
    purpose: 'the tests run reference solutions with it: openpyxl, python-docx and LibreOffice from outside',
    need: 'test',
    commands: ['/usr/bin/python3'],
    versionArgs: ['-c', 'import openpyxl, docx, uno; print("version", openpyxl.__version__)'],
    versionPattern: /version (\S+)/,
    apt: ['python3-openpyxl', 'python3-docx', 'python3-uno'],
    elsewhere: 'pip install openpyxl python-docx',
  },
  {
    id: 'pdftoppm',
    title: 'poppler',
    purpose: 'draws the pages of documents and PDFs that people look at, and images for checks',
    need: 'test',
    commands: ['pdftoppm'],
    versionArgs: ['-v'],
    versionPattern: /version (\S+)/,
    apt: ['poppler-utils'],
    elsewhere: 'brew install poppler',
  },
  {
    id: 'shellcheck',
    title: 'ShellCheck',
    purpose: 'checks the setup scripts of packages',
    need: 'test',
    commands: ['shellcheck'],
    versionArgs: ['--version'],
    versionPattern: /version: (\S+)/,
    apt: ['shellcheck'],
    elsewhere: 'brew install shellcheck',
  },
  {
    id: 'postgres',
    title: 'Postgres',
    purpose: 'the store is tested on it; without DATABASE_URL the product itself needs none',
    need: 'test',
    commands: ['postgres', ...[18, 17, 16, 15].map((version) => `/usr/lib/postgresql/${version}/bin/postgres`)],
    versionArgs: ['--version'],
    versionPattern: /(\d+\.\d+)/,
    apt: ['postgresql'],
    elsewhere: 'brew install postgresql@17',
  },
  {
    id: 'docker-compose',
    title: 'Compose',
    purpose: 'the tests check docker/compose.yaml with it',
    need: 'test',
    commands: ['docker-compose'],
    versionArgs: ['--version'],
    versionPattern: /version v?(\d[^\s,]*)/,
    apt: ['docker-compose'],
    elsewhere: 'brew install docker-compose',
  },
  {
    id: 'wmctrl',
    title: 'wmctrl',
    purpose: 'the tests arrange windows on a display of their own with it, as setup scripts do',
    need: 'test',
    commands: ['wmctrl'],
    versionArgs: ['--version'],
    versionPattern: /(\d+\.\d+[.\d]*)/,
    apt: ['wmctrl', 'xdotool', 'xvfb', 'openbox', 'xterm', 'x11-utils', 'x11-xkb-utils', 'x11-xserver-utils'],
    elsewhere: 'comes with the desktop environments of Linux',
  },
  {
    id: 'docker',
    title: 'Docker',
    purpose: 'runs desktop sandboxes; without it nothing else is missing',
    need: 'test',
    commands: ['dockerd'],
    versionArgs: ['--version'],
    versionPattern: /version (\d[^\s,]*)/,
    apt: ['docker.io', 'iptables'],
    elsewhere: 'https://docs.docker.com/engine/install',
  },
  {
    id: 'bubblewrap',
    title: 'bubblewrap',
    purpose: 'runs desktop sandboxes where there is no Docker, with less protection',
    need: 'test',
    commands: ['bwrap'],
    versionArgs: ['--version'],
    versionPattern: /bubblewrap (\S+)/,
    apt: ['bubblewrap'],
    elsewhere: 'Linux alone has it',
  },
  {
    id: 'debootstrap',
    title: 'debootstrap',
    purpose: 'makes the base of the desktop image where none can be pulled',
    need: 'test',
    commands: ['debootstrap'],
    versionArgs: ['--version'],
    versionPattern: /debootstrap (\S+)/,
    apt: ['debootstrap'],
    elsewhere: 'not needed where debian:bookworm-slim can be pulled',
  },
  {
    id: 'pgrep',
    title: 'procps',
    purpose: 'the tests use it to see that no process is left behind',
    need: 'test',
    commands: ['pgrep'],
    versionArgs: ['--version'],
    versionPattern: /(\d+\.\d+[.\d]*)/,
    apt: ['procps'],
    elsewhere: 'comes with the system',
  },
];

export const oldestNode: readonly [number, number] = [20, 19];
export const wantedDiskBytes = 2_000_000_000;
