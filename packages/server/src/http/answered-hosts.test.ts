import { expect, test } from 'vitest'
import { checkHost } from './answered-hosts.ts'

const listed = ['wallets.example.test']

test.each([
  'localhost',
  'localhost:8080',
  '127.0.0.1:80',
  '127.8.8.8',
  '[::1]:8080',
  'wallets.example.test:443',
])('the host %s is answered', (host) => {
  expect(() => checkHost(host, listed)).not.toThrow()
})

test.each([
  'evil.example',
  'evil.example:80@localhost',
  'localhost@evil.example',
  'localhost/evil.example',
  'localhost?evil.example',
  'localhost#evil.example',
  'localhost\\evil.example',
  'localhost.evil.example',
  '',
  undefined,
])('the host %s is not answered', (host) => {
  expect(() => checkHost(host, listed)).toThrow('names of this machine')
})
