import { expect, test } from 'vitest'
import { clientBlock, clientNetwork } from './client-block.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8:1:2::9', '2001:db8:1:2'],
  ['2001:db8::9%eth0', '2001:db8:0:0'],
  ['2001:0db8:0::', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['unknown', '::'],
  ['', '::'],
])('the rates count the client address %s as %s', (address, block) => {
  expect(clientBlock(address)).toBe(block)
})

test.each([
  ['203.0.113.7', undefined],
  ['::ffff:203.0.113.7', undefined],
  ['2001:DB8:1:2::9%eth0', '2001:db8:1'],
  ['2001:db8::', '2001:db8:0'],
  ['unknown', undefined],
])('the network of the client address %s is %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network)
})
