import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** One entry of the operator's list. `ports: null` means those that http and https usually have, `any` all of them. */
interface Ports {
  ports: number | 'any' | null;
}
type NameEntry = Ports & { name: string };
type AddressEntry = Ports & { network: [Address, number] };

/** The hosts that requests may go to. Empty at first: nothing is allowed. */
export interface AllowList {
  readonly text: string;
  /** Whether a URL's host and port are on the list. Whether the address behind a name may be used is asked afterwards. */
  allowsHost(host: string, port: number): boolean;
  /** Whether a connection to this address may be made: it is public, or the list has it, or its network, as an address. */
  allowsAddress(host: string, address: string): boolean;
}

const entryPattern = /^(?:\[([0-9a-f:.]+)\]|([^:/[\]]+))(?:\/(\d{1,3}))?(?::(\d{1,5}|\*))?$/i;
const namePattern = /^(?:\*|(?:\*\.)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*)$/;

/**
 * Reads a list such as `api.example.com, *.example.org:8443, 10.1.0.0/16:*, [::1]:8080, localhost:*`; `*` alone is every public host.
 * @throws Error that names the entry that is wrong
 */
export function parseAllowList(text: string): AllowList {
  const names: NameEntry[] = [];
  const networks: AddressEntry[] = [];
  for (const entry of text.split(/[\s,]+/).filter((part) => part !== '')) {
    const match = entryPattern.exec(entry);
    const host = (match?.[1] ?? match?.[2] ?? '').toLowerCase();
    const ports = match?.[4] === undefined ? null : match[4] === '*' ? 'any' : Number(match[4]);
    if (isIP(host) > 0) {
      const address = addressOf(host);
      const bits = match?.[3] === undefined ? address.toByteArray().length * 8 : Number(match[3]);
      if (bits > address.toByteArray().length * 8) throw wrong(entry);
      networks.push({ network: [address, bits], ports });
    } else if (match?.[3] === undefined && namePattern.test(host)) names.push({ name: host, ports });
    else throw wrong(entry);
  }
  const inNetworks = (address: Address, port?: number): boolean =>
    networks.some(
      (entry) => sameNetwork(address, entry.network) && (port === undefined || portAllowed(entry.ports, port)),
    );
  return {
    text: text.trim(),
    allowsHost(host, port) {
      if (isIP(host) === 0) return names.some(({ name, ports }) => nameMatches(name, host) && portAllowed(ports, port));
      const address = addressOf(host);
      const everywhere = names.some(({ name, ports }) => name === '*' && portAllowed(ports, port));
      return inNetworks(address, port) || (everywhere && isPublic(address));
    },
    allowsAddress(host, text) {
      const address = addressOf(text);
      if (isPublic(address) || inNetworks(address)) return true;
      // The name says loopback by itself: whoever lists it means it.
      return host === 'localhost' && names.some(({ name }) => name === host) && address.range() === 'loopback';
    },
  };
}

const wrong = (entry: string): Error =>
  new Error(
    `'${entry}' is no host for FORGE_HTTP_ALLOW: write name, *.name, address or address/bits, and :port or :*.`,
  );

/** IPv4 in IPv6 clothes counts as what it is. */
const addressOf = (text: string): Address => ipaddr.process(text.replace(/%.*$/, ''));

/** Whether everybody on the internet would reach the same machine under this address. */
export const isPublic = (address: Address): boolean => address.range() === 'unicast';

/** Whether traffic to this address leaves the operator's own network. */
export const isPublicAddress = (text: string): boolean => isPublic(addressOf(text));

function sameNetwork(address: Address, [network, bits]: [Address, number]): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

function nameMatches(pattern: string, host: string): boolean {
  if (pattern === '*') return true;
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
}

const portAllowed = (ports: Ports['ports'], port: number): boolean =>
  ports === 'any' || (ports === null ? port === 80 || port === 443 : ports === port);
