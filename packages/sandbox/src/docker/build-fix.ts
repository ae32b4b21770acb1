const fixes: readonly [RegExp, string][] = [
  [
    /python-pptx/,
    'Where the build reaches no package index, lay the wheel first: pip download --no-deps --dest docker/desktop/wheels python-pptx==1.0.2',
  ],
  [/apt-get/, 'Where the build reaches no Debian mirror, check the network of the Docker daemon, and its proxy.'],
];

/** What to do when the step of a build that this message names fails; undefined where nothing better is known than the message. */
export const buildFix = (message: string): string | undefined => fixes.find(([step]) => step.test(message))?.[1];
