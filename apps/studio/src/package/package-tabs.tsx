import type { PackageRecord } from '@cua-forge/spec/store-port';
import type { TaskPackage } from '@cua-forge/spec/task';
import { Tabs } from '../ui/tabs.tsx';
import { Folder } from './folder.tsx';
import { ProofSection } from './proof-section.tsx';
import { Evidence, RubricTable, Setup, TaskFiles } from './sections.tsx';

export const packageTabs = ['files', 'setup', 'rubric', 'evidence', 'proof', 'folder'] as const;
export type PackageTab = (typeof packageTabs)[number];

const labels: Record<PackageTab, string> = {
  files: 'Files',
  setup: 'Setup',
  rubric: 'Rubric',
  evidence: 'Gate evidence',
  proof: 'Proof',
  folder: 'Folder',
};

interface TabbedProps {
  tab: PackageTab;
  onTab(tab: PackageTab): void;
}

export const PackageTabs = ({ tab, onTab }: TabbedProps) => (
  <Tabs
    label="Parts of the package"
    value={tab}
    onChange={onTab}
    tabs={packageTabs.map((id) => ({ id, label: labels[id] }))}
  />
);

export function PackagePart({
  tab,
  record,
  content,
}: {
  tab: PackageTab;
  record: PackageRecord;
  content: TaskPackage;
}) {
  switch (tab) {
    case 'files':
      return <TaskFiles record={record} content={content} />;
    case 'setup':
      return <Setup record={record} content={content} />;
    case 'rubric':
      return <RubricTable record={record} content={content} />;
    case 'evidence':
      return <Evidence manifest={content.manifest} />;
    case 'proof':
      return <ProofSection record={record} content={content} />;
    case 'folder':
      return <Folder content={content} />;
  }
}
