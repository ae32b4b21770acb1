import { create } from 'zustand';

export type Theme = 'light' | 'dark';
const KEY = 'forge.theme';

const system = (): Theme => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
const chosen = (): Theme | null => {
  const stored = localStorage.getItem(KEY);
  return stored === 'light' || stored === 'dark' ? stored : null;
};

interface ThemeState {
  theme: Theme;
  toggle(): void;
}

/** The system's theme until a person chooses the other one. */
export const useTheme = create<ThemeState>((set, get) => ({
  theme: chosen() ?? system(),
  toggle() {
    const theme = get().theme === 'dark' ? 'light' : 'dark';
    if (theme === system()) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
    set({ theme });
  },
}));

export function startTheme(): void {
  const show = (theme: Theme) => {
    document.documentElement.dataset.theme = theme;
  };
  show(useTheme.getState().theme);
  useTheme.subscribe((state) => show(state.theme));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    if (chosen() === null) useTheme.setState({ theme: system() });
  });
}
