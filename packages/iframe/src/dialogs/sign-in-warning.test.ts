import { expect, test } from 'vitest'
import { signInWarning } from './sign-in-warning.ts'

const page = 'https://shop.example:8443'
const message = (domain: string) =>
  `${domain} wants you to sign in with your Ethereum account:\n0x70997970C51812dc3A010C7d01b50e0d17dc79C8\n`

test('a login to the page that asks is not warned of, whatever its letters', () => {
  expect(signInWarning(message('shop.example:8443'), page)).toBeNull()
  expect(signInWarning(message('https://Shop.example:8443'), page)).toBeNull()
})

test('a login to any other host, port or look-alike is', () => {
  for (const domain of [
    'bank.example',
    'shop.example',
    'shop.example:8443.evil.example',
    'http://bank.example',
  ])
    expect(signInWarning(message(domain), page)).toMatch(/logs in to/)
})

test('other messages get no warning', () => {
  expect(signInWarning('hello', page)).toBeNull()
  expect(signInWarning('', page)).toBeNull()
})
