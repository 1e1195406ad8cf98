import { describe, expect, test } from 'vitest'
import { DatabaseUrlError, readDatabaseUrl } from './database-url.ts'

const root = 'sslrootcert=/etc/root.pem'

describe('a database URL', () => {
  test.each([
    ['postgres://u:p%40ss@db.test/app', [{ host: 'db.test', port: 5432 }]],
    ['postgresql://u:p%40ss@db.test:6432/app', [{ host: 'db.test', port: 6432 }]],
    ['postgres://u:p%40ss@[::1]:6432/app', [{ host: '::1', port: 6432 }]],
    ['postgres://u:p%40ss@/app?host=/run/pg&port=6432', [{ host: '/run/pg', port: 6432 }]],
    ['postgres:///app?host=/run/pg&user=u&password=p%40ss', [{ host: '/run/pg', port: 5432 }]],
    [
      'postgres://u:p%40ss@a:1,b,[::2]:3/app',
      [
        { host: 'a', port: 1 },
        { host: 'b', port: 5432 },
        { host: '::2', port: 3 },
      ],
    ],
    [
      'postgres://u:p%40ss@/app?host=a,b&port=1,2',
      [
        { host: 'a', port: 1 },
        { host: 'b', port: 2 },
      ],
    ],
    [
      'postgres://u:p%40ss@a,b/app?port=7',
      [
        { host: 'a', port: 7 },
        { host: 'b', port: 7 },
      ],
    ],
  ])('is read as libpq reads it: %s', (text, hosts) => {
    expect(readDatabaseUrl(text)).toMatchObject({ hosts, user: 'u', password: 'p@ss', database: 'app' })
  })

  test('has no TLS unless it says so, and says what TLS proves', () => {
    const tls = (query: string) => readDatabaseUrl(`postgres://db.test/app?${query}`).tls
    const more = { rootFile: '/etc/root.pem', client: undefined, negotiation: 'postgres' }
    expect(tls('')).toEqual({ mode: 'disable' })
    expect(tls('sslmode=require')).toEqual({ ...more, mode: 'require', rootFile: undefined })
    expect(tls(`sslmode=require&${root}`)).toEqual({ ...more, mode: 'verify-ca' })
    expect(tls(`sslmode=verify-full&${root}`)).toEqual({ ...more, mode: 'verify-full' })
    expect(tls('sslmode=verify-full&sslrootcert=system')).toMatchObject({ rootFile: undefined })
    expect(tls(`sslmode=verify-full&${root}&sslcert=c&sslkey=k&sslnegotiation=direct`)).toMatchObject({
      client: { certificateFile: 'c', keyFile: 'k' },
      negotiation: 'direct',
    })
  })

  test.each([
    ...[
      'sslmode=prefer',
      'sslmode=allow',
      'sslmode=verify_full',
      'sslmode=',
      `sslmode=require&sslmode=verify-full&${root}`,
    ],
    ...[root, 'sslnegotiation=direct', 'sslmode=verify-ca', 'sslmode=require&sslrootcert=system'],
    ...['sslmode=verify-full&sslcert=a', 'sslmode=verify-full&sslkey=a', 'ssl=true', 'sslMode=verify-full'],
    ...[
      'target_session_attrs=master',
      'target_session_attrs=',
      'options=-c%20jit%3Doff',
      'pgbouncer=true',
      'port=0',
      'port=1,2',
    ],
  ])('is refused with a setting that would be passed over: %s', (query) => {
    expect(() => readDatabaseUrl(`postgres://u:hidden@db.test/app?${query}`)).toThrow(DatabaseUrlError)
  })

  test.each([
    'mysql://db.test/app',
    'db.test',
    'postgres://u:p@h:x/app',
    'postgres://u:50%@h/app',
    'postgres://u@a@b/app',
    'postgres://h:70000/a',
  ])('is refused where it is none: %s', (text) => {
    expect(() => readDatabaseUrl(text)).toThrow(DatabaseUrlError)
  })

  test('is refused without a word of its password, wherever that ends up', () => {
    for (const text of [
      'postgres://u:hid?den=1@h/app',
      'postgres://u:hid/den@h/app',
      'postgres://h/a?sslmode=hidden',
      'postgres://u:hid#den@h/a',
    ]) {
      try {
        readDatabaseUrl(text)
        expect.unreachable()
      } catch (error) {
        expect(error).toBeInstanceOf(DatabaseUrlError)
        expect((error as Error).message).not.toMatch(/hid|den/)
      }
    }
  })
})
