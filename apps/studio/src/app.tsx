import {
  Bot,
  CalendarClock,
  Coins,
  FlaskConical,
  GraduationCap,
  History,
  Layers,
  LogOut,
  type LucideIcon,
  Monitor,
  Moon,
  Package,
  ScrollText,
  Server,
  Sun,
  Webhook,
  WifiOff,
  Workflow,
} from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useServer } from './api/server-store.ts';
import { useSession } from './api/session-store.ts';
import { loadedPages } from './loaded-pages.ts';
import { DocumentsPage } from './pages/documents-page.tsx';
import { LoginDialog, LoginPage } from './pages/login-page.tsx';
import { RunsPage } from './pages/runs-page.tsx';
import { lists, pathOf, type Route, type Section, sectionOf, useRoute } from './route.ts';
import { CrashGuard } from './ui/crash-guard.tsx';
import { Link } from './ui/link.tsx';
import { PageKeys } from './ui/page-keys.tsx';
import { Loading } from './ui/states.tsx';
import { useTheme } from './ui/theme.ts';
import { Toasts, toastError } from './ui/toast.tsx';

const LazyDocumentPage = lazy(async () => ({ default: (await import('./editor/document-page.tsx')).DocumentPage }));
const RunPage = lazy(async () => ({ default: (await import('./pages/run-page.tsx')).RunPage }));
const PackagesPage = lazy(async () => ({ default: (await import('./pages/packages-page.tsx')).PackagesPage }));
const PackagePage = lazy(async () => ({ default: (await import('./pages/package-page.tsx')).PackagePage }));
const CompareRunsPage = lazy(async () => ({
  default: (await import('./pages/compare-runs-page.tsx')).CompareRunsPage,
}));
const ComparePage = lazy(async () => ({ default: (await import('./pages/compare-page.tsx')).ComparePage }));
const BatchesPage = lazy(async () => ({ default: (await import('./pages/batches-page.tsx')).BatchesPage }));
const BatchPage = lazy(async () => ({ default: (await import('./pages/batch-page.tsx')).BatchPage }));
const EvaluationsPage = lazy(async () => ({ default: (await import('./pages/evaluations-page.tsx')).EvaluationsPage }));
const EvaluationPage = lazy(async () => ({ default: (await import('./pages/evaluation-page.tsx')).EvaluationPage }));
const HooksPage = lazy(async () => ({ default: (await import('./pages/hooks-page.tsx')).HooksPage }));
const SchedulesPage = lazy(async () => ({ default: (await import('./pages/schedules-page.tsx')).SchedulesPage }));
const DesktopsPage = lazy(async () => ({ default: (await import('./pages/desktops-page.tsx')).DesktopsPage }));
const DesktopPage = lazy(async () => ({ default: (await import('./pages/desktop-page.tsx')).DesktopPage }));
const CostsPage = lazy(async () => ({ default: (await import('./pages/costs-page.tsx')).CostsPage }));
const ModelsPage = lazy(async () => ({ default: (await import('./pages/models-page.tsx')).ModelsPage }));
const SkillsPage = lazy(async () => ({ default: (await import('./pages/skills-page.tsx')).SkillsPage }));
const AuditPage = lazy(async () => ({ default: (await import('./pages/audit-page.tsx')).AuditPage }));
const WorkersPage = lazy(async () => ({ default: (await import('./pages/workers-page.tsx')).WorkersPage }));

const sections: Record<Section, { title: string; icon: LucideIcon }> = {
  documents: { title: 'Workflows', icon: Workflow },
  runs: { title: 'Runs', icon: History },
  batches: { title: 'Batches', icon: Layers },
  evaluations: { title: 'Evaluations', icon: FlaskConical },
  schedules: { title: 'Schedules', icon: CalendarClock },
  hooks: { title: 'Hooks', icon: Webhook },
  packages: { title: 'Packages', icon: Package },
  skills: { title: 'Skills', icon: GraduationCap },
  desktops: { title: 'Desktops', icon: Monitor },
  costs: { title: 'Costs', icon: Coins },
  models: { title: 'Models', icon: Bot },
  workers: { title: 'Workers', icon: Server },
  audit: { title: 'Audit', icon: ScrollText },
};

export function App() {
  const route = useRoute();
  const loggedOut = useSession(({ session }) => session !== null && session.user === null);
  const expired = useSession((state) => state.expired);
  const load = useSession((state) => state.load);
  const reachable = useServer((state) => state.reachable);
  useEffect(() => {
    if (reachable) void load();
  }, [reachable, load]);
  const title = 'id' in route ? route.id : sections[route.page].title;
  useEffect(() => {
    document.title = `${title} · CUA Forge`;
  }, [title]);
  return (
    <div className="app">
      <AppBar route={route} />
      <Banners />
      <main>
        <CrashGuard key={pathOf(route)}>
          <Suspense fallback={<Loading what="the page" />}>
            {loggedOut && !expired ? <LoginPage /> : <Page route={route} />}
            {expired && <LoginDialog />}
          </Suspense>
        </CrashGuard>
      </main>
      <PageKeys />
      <Toasts />
    </div>
  );
}

function DocumentPage({ id }: { id: string }) {
  // The same for as long as it is shown: another one would begin anew.
  const [Shown] = useState(() => loadedPages.document ?? LazyDocumentPage);
  return <Shown id={id} />;
}

function Page({ route }: { route: Route }) {
  switch (route.page) {
    case 'documents':
      return <DocumentsPage />;
    case 'document':
      return <DocumentPage key={route.id} id={route.id} />;
    case 'runs':
      return <RunsPage />;
    case 'run':
      return <RunPage key={route.id} id={route.id} />;
    case 'compare-runs':
      return <CompareRunsPage key={pathOf(route)} left={route.id} right={route.with} />;
    case 'packages':
      return <PackagesPage />;
    case 'package':
      return <PackagePage key={route.id} id={route.id} />;
    case 'compare':
      return <ComparePage key={pathOf(route)} left={route.id} right={route.with} />;
    case 'batches':
      return <BatchesPage />;
    case 'batch':
      return <BatchPage key={route.id} id={route.id} />;
    case 'evaluations':
      return <EvaluationsPage />;
    case 'evaluation':
      return <EvaluationPage key={route.id} id={route.id} />;
    case 'desktops':
      return <DesktopsPage />;
    case 'desktop':
      return <DesktopPage key={route.id} id={route.id} />;
    case 'schedules':
      return <SchedulesPage />;
    case 'hooks':
      return <HooksPage />;
    case 'costs':
      return <CostsPage />;
    case 'models':
      return <ModelsPage />;
    case 'skills':
      return <SkillsPage />;
    case 'workers':
      return <WorkersPage />;
    case 'audit':
      return <AuditPage />;
  }
}

function AppBar({ route }: { route: Route }) {
  const health = useServer((state) => state.health);
  const { theme, toggle } = useTheme();
  const section = sectionOf(route);
  return (
    <header className="app-bar">
      <Link to={{ page: 'documents' }} className="brand">
        <img src="/icon.svg" alt="" width={20} height={20} /> CUA Forge
      </Link>
      <nav className="row tight" aria-label="Main">
        {lists.map((name) => {
          const { title, icon: Icon } = sections[name];
          return (
            <Link key={name} to={{ page: name }} className="nav" current={section === name}>
              <Icon size={14} aria-hidden /> {title}
            </Link>
          );
        })}
      </nav>
      <span className="grow" />
      {health !== null && (
        <span
          className={health.rehearsed ? 'badge warn' : 'badge'}
          title={
            health.rehearsed
              ? 'No model is asked: contents come from the workflows’ own examples.'
              : `Model provider: ${health.provider}`
          }
        >
          {health.rehearsed ? 'rehearsal' : health.provider}
        </span>
      )}
      {health?.temporalUi != null && (
        <a className="nav" href={health.temporalUi} target="_blank" rel="noreferrer">
          Temporal
        </a>
      )}
      <UserBadge />
      <button
        type="button"
        className="button quiet square"
        aria-label={theme === 'dark' ? 'Use the light theme' : 'Use the dark theme'}
        title="Theme"
        onClick={toggle}
      >
        {theme === 'dark' ? <Sun size={15} aria-hidden /> : <Moon size={15} aria-hidden />}
      </button>
    </header>
  );
}

/** Who is logged in, where the server asks for it. */
function UserBadge() {
  const user = useSession(({ session }) => session?.user ?? null);
  const logOut = useSession((state) => state.logOut);
  if (user === null || user.via === 'local') return null;
  return (
    <>
      <span className="badge" title={`Role: ${user.role}`}>
        {user.name} · {user.role}
      </span>
      <button
        type="button"
        className="button quiet square"
        aria-label="Log out"
        title="Log out"
        onClick={() => void logOut().catch(toastError)}
      >
        <LogOut size={15} aria-hidden />
      </button>
    </>
  );
}

function Banners() {
  const reachable = useServer((state) => state.reachable);
  const temporal = useServer((state) => state.health?.temporal);
  if (!reachable) {
    return (
      <div className="banner bad" role="alert">
        <WifiOff size={15} aria-hidden /> The server does not answer. What you edit stays here; saving and running work
        again once it is back.
      </div>
    );
  }
  if (temporal?.reachable === false) {
    return (
      <div className="banner warn" role="alert">
        <WifiOff size={15} aria-hidden /> Temporal at {temporal.address} does not answer: {temporal.detail} Workflows
        can be edited, and not run.
      </div>
    );
  }
  return null;
}
