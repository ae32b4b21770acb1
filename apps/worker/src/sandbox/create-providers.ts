import type { ViewingProvider } from '@cua-forge/sandbox/agent/view-stream';
import { bubblewrapProvider } from '@cua-forge/sandbox/bubblewrap/bubblewrap-provider';
import { dockerProvider } from '@cua-forge/sandbox/docker/docker-provider';
import type { SandboxSettings } from '@cua-forge/sandbox/settings';
import type { SandboxProvider } from '@cua-forge/spec/sandbox-port';

/** The provider of that name. */
export function createProvider(name: SandboxProvider['name'], settings: SandboxSettings): ViewingProvider {
  switch (name) {
    case 'docker':
      return dockerProvider(settings);
    case 'bubblewrap':
      return bubblewrapProvider(settings);
  }
}
