import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type DiversityReport, diversityOf } from '../bench/diversity/measure.ts';
import { readPackages } from '../bench/diversity/packages.ts';
import { generatePackages } from './lib/generate-packages.ts';

/** Generates packages of the shipped skills and says how different they are, names and numbers aside. Exit code 1 when a skill falls short. */

const aims = { combinationsPer100: 20, nearDuplicateShare: 0.05 };

const usage = `Usage: npm run diversity -- [skill …] [--count 100] [--seed 1] [--out FOLDER] [--packages FOLDER] [--json]
Without skills: all shipped ones. --packages measures packages that are there already; --out keeps those that are made.
`;

function options() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        count: { type: 'string', default: '100' },
        seed: { type: 'string', default: '1' },
        out: { type: 'string' },
        packages: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
  } catch (thrown) {
    process.stderr.write(`${thrown instanceof Error ? thrown.message : thrown}\n${usage}`);
    return process.exit(2);
  }
}

const { values, positionals } = options();
const [count, seed] = [Number(values.count), Number(values.seed)];
if (!Number.isInteger(count) || count < 2 || !Number.isInteger(seed)) {
  process.stderr.write(`--count takes a whole number from 2, --seed a whole number.\n${usage}`);
  process.exit(2);
}

interface SkillReport extends DiversityReport {
  skill: string;
  requested: number;
  accepted: number;
  seconds: number | null;
  enough: boolean;
}

function judged(
  skill: string,
  report: DiversityReport,
  facts: Pick<SkillReport, 'requested' | 'accepted' | 'seconds'>,
): SkillReport {
  const wanted = Math.min(report.packages, Math.ceil((aims.combinationsPer100 * report.packages) / 100));
  const enough =
    facts.accepted === facts.requested &&
    report.combinations >= wanted &&
    report.nearDuplicateShare < aims.nearDuplicateShare;
  return { skill, ...facts, ...report, enough };
}

async function measured(skill: string, folder: string): Promise<SkillReport> {
  const out = join(folder, skill);
  const { requested, accepted, seconds } = await generatePackages({ skill, count, seed, out });
  return judged(skill, diversityOf(accepted === 0 ? [] : await readPackages(out)), { requested, accepted, seconds });
}

const skillsFolder = resolve(import.meta.dirname, '../skills');
const skills = positionals.length > 0 ? positionals : (await readdir(skillsFolder)).sort();
const temporary = await mkdtemp(join(tmpdir(), 'forge-diversity-'));
const reports: SkillReport[] = [];
try {
  if (values.packages !== undefined) {
    const views = await readPackages(values.packages);
    const facts = { requested: views.length, accepted: views.length, seconds: null };
    reports.push(judged(values.packages, diversityOf(views), facts));
  } else {
    for (const [index, skill] of skills.entries()) {
      process.stderr.write(`${skill} (${index + 1} of ${skills.length}): ${count} packages from seed ${seed}\n`);
      const report = await measured(skill, values.out ?? temporary).catch((thrown: unknown) => {
        process.stderr.write(`${thrown instanceof Error ? thrown.message : thrown}\n`);
        return judged(skill, diversityOf([]), { requested: count, accepted: 0, seconds: null });
      });
      reports.push(report);
    }
  }
} finally {
  await rm(temporary, { recursive: true, force: true });
}
if (values.json) process.stdout.write(`${JSON.stringify({ count, seed, aims, skills: reports }, null, 2)}\n`);
else
  for (const {
    skill,
    accepted,
    requested,
    outcomes,
    combinations,
    nearDuplicates,
    nearDuplicateShare,
    closest,
    enough,
  } of reports)
    process.stdout.write(
      `${skill}: ${accepted} of ${requested} accepted, ${outcomes} outcomes, ${combinations} combinations, ${nearDuplicates} near-duplicates (${(nearDuplicateShare * 100).toFixed(1)} %), closest ${closest?.similarity.toFixed(2) ?? '–'}${enough ? '' : ': NOT ENOUGH'}\n`,
    );
process.exit(reports.every(({ enough }) => enough) ? 0 : 1);
