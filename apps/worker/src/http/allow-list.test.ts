import { describe, expect, it } from 'vitest';
import { parseAllowList } from './allow-list.ts';

describe('hosts', () => {
  it.each([
    ['', 'example.com', 443, false],
    ['example.com', 'example.com', 443, true],
    ['example.com', 'example.com', 8443, false],
    ['example.com', 'a.example.com', 443, false],
    ['EXAMPLE.com:8443', 'example.com', 8443, true],
    ['*.example.com', 'a.b.example.com', 80, true],
    ['*.example.com', 'example.com', 443, false],
    ['*.example.com', 'badexample.com', 443, false],
    ['a.example, b.example:*', 'b.example', 12_345, true],
    ['*', 'anything.example', 443, true],
    ['*', '93.184.216.34', 443, true],
    ['*', '10.0.0.1', 443, false],
    ['10.0.0.0/8:*', '10.9.8.7', 8080, true],
    ['10.0.0.0/8', '11.0.0.1', 80, false],
    ['[::1]:8080', '::1', 8080, true],
    ['127.0.0.1:8080', '127.0.0.1', 8081, false],
  ])('%s lets %s:%i through: %s', (list, host, port, allowed) => {
    expect(parseAllowList(list).allowsHost(host, port)).toBe(allowed);
  });
});

describe('addresses behind a name', () => {
  const open = parseAllowList('*');
  it.each([
    '127.0.0.1',
    '127.8.8.8',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fe80::1%eth0',
    'fd00::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    '2002:7f00:1::',
    '2001:db8::1',
    'ff02::1',
  ])('%s is refused', (address) => {
    expect(open.allowsAddress('name.example', address)).toBe(false);
  });

  it('takes public ones, and those that the list has', () => {
    expect(open.allowsAddress('name.example', '93.184.216.34')).toBe(true);
    expect(open.allowsAddress('name.example', '2606:2800:220:1::1')).toBe(true);
    const list = parseAllowList('inner.example 10.0.0.0/8 localhost:*');
    expect(list.allowsAddress('inner.example', '10.3.4.5')).toBe(true);
    expect(list.allowsAddress('inner.example', '::ffff:10.3.4.5')).toBe(true);
    expect(list.allowsAddress('inner.example', '127.0.0.1')).toBe(false);
    expect(list.allowsAddress('localhost', '127.0.0.1')).toBe(true);
    expect(list.allowsAddress('localhost', '10.255.0.1')).toBe(true);
    expect(list.allowsAddress('localhost', '192.168.0.1')).toBe(false);
  });
});

it.each(['https://example.com', 'exa mple$.com', '10.0.0.0/99', 'example.com/8', 'a..b', '*.*.com', ':80'])(
  'names the entry that is wrong: %s',
  (entry) => {
    expect(() => parseAllowList(`good.example, ${entry}`)).toThrow('is no host for FORGE_HTTP_ALLOW');
  },
);
