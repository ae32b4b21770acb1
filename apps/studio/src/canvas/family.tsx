import {
  Box,
  ClipboardList,
  Database,
  FileCog,
  GitBranch,
  Globe,
  type LucideIcon,
  Monitor,
  Package,
  ShieldCheck,
  Sparkles,
  Wrench,
} from 'lucide-react';

interface Family {
  title: string;
  icon: LucideIcon;
  /** Hue of the family's tile, a port colour of the tokens. */
  tone: string;
}

const families: Record<string, Family> = {
  data: { title: 'Data', icon: Database, tone: 'table' },
  llm: { title: 'Language model', icon: Sparkles, tone: 'boolean' },
  spec: { title: 'Specification', icon: ClipboardList, tone: 'spec' },
  preparer: { title: 'File preparers', icon: FileCog, tone: 'workbook' },
  setup: { title: 'Environment setup', icon: Wrench, tone: 'operation' },
  gate: { title: 'Gates', icon: ShieldCheck, tone: 'rubric' },
  flow: { title: 'Flow', icon: GitBranch, tone: 'script' },
  package: { title: 'Task package', icon: Package, tone: 'package' },
  sandbox: { title: 'Sandbox', icon: Monitor, tone: 'number' },
  web: { title: 'Web', icon: Globe, tone: 'file' },
};

const familyOrder = Object.keys(families);

export const familyIdOf = (kind: string): string => kind.slice(0, kind.indexOf('.'));
export const familyOf = (kind: string): Family =>
  families[familyIdOf(kind)] ?? { title: familyIdOf(kind), icon: Box, tone: 'any' };

/** Order in which families are listed: the way a workflow runs, unknown ones last. */
export function familyRank(id: string): number {
  const index = familyOrder.indexOf(id);
  return index < 0 ? familyOrder.length : index;
}

export function KindTile({ kind, size = 15 }: { kind: string; size?: number }) {
  const { icon: Icon, tone } = familyOf(kind);
  return (
    <span className={`tile tone-${tone}`} aria-hidden>
      <Icon size={size} />
    </span>
  );
}
