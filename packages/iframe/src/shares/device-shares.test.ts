import { describe, expect, test } from 'vitest'
import type { Wallet } from '../api/wallet.ts'
import {
  commitShare,
  dropOffer,
  dropOtherOffers,
  heldShares,
  offerShare,
  wipeShares,
} from './device-shares.ts'
import { memoryStorage } from './memory-storage.ts'
import { openShare, sealShare } from './sealed-share.ts'
import type { ShareRow } from './share-storage.ts'

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
const share = (fill: number) => new Uint8Array(33).fill(fill)
const wallet = (change: Partial<Wallet> = {}): Wallet => ({
  id: 'w1',
  organizationId: 'o1',
  userIdentityId: 'u1',
  curve: 'secp256k1',
  publicKey: new Uint8Array(33).fill(2),
  polynomialVersion: 1,
  isArchived: false,
  wire: {},
  ...change,
})

function made() {
  const storage = memoryStorage()
  return { storage, shares: { storage, random } }
}

describe('the shares of this browser', () => {
  test('an offer is held until it is dropped', async () => {
    const { shares } = made()
    const id = await offerShare(shares, wallet(), null, share(7))
    expect(await heldShares(shares, wallet())).toEqual([{ id, version: null, share: share(7) }])
    await dropOffer(shares, id)
    expect(await heldShares(shares, wallet())).toEqual([])
  })

  test('a commit replaces offers and older versions', async () => {
    const { shares } = made()
    await offerShare(shares, wallet(), null, share(1))
    await commitShare(shares, wallet(), share(2))
    await offerShare(shares, wallet(), 'w1', share(3))
    await commitShare(shares, wallet({ polynomialVersion: 4 }), share(3))
    expect(await heldShares(shares, wallet())).toMatchObject([{ version: 4, share: share(3) }])
  })

  test('a late commit does not take a newer share away', async () => {
    const { shares } = made()
    await commitShare(shares, wallet({ polynomialVersion: 3 }), share(3))
    await commitShare(shares, wallet({ polynomialVersion: 2 }), share(2))
    const held = await heldShares(shares, wallet({ polynomialVersion: 3 }))
    expect(held.map(({ version }) => version)).toEqual([3, 2])
  })

  test('the version in force comes first, then offers', async () => {
    const { shares } = made()
    await commitShare(shares, wallet({ polynomialVersion: 2 }), share(2))
    await offerShare(shares, wallet(), 'w1', share(9))
    const order = async (version: number) =>
      (await heldShares(shares, wallet({ polynomialVersion: version }))).map((each) => each.version)
    expect(await order(2)).toEqual([2, null])
    expect(await order(3)).toEqual([null, 2])
  })

  test('nobody else finds them: another user, organization, curve, wallet or key', async () => {
    const { shares } = made()
    await commitShare(shares, wallet(), share(1))
    await offerShare(shares, wallet(), null, share(2))
    const others: Partial<Wallet>[] = [
      { userIdentityId: 'u2' },
      { organizationId: 'o2' },
      { curve: 'ed25519' },
      { publicKey: new Uint8Array(33).fill(3) },
    ]
    for (const change of others) expect(await heldShares(shares, wallet(change))).toEqual([])
    // An offer that was made before the wallet had an id is any wallet's of that key and user.
    expect(await heldShares(shares, wallet({ id: 'w2' }))).toHaveLength(1)
  })

  test('a wipe takes all shares of the user and nobody else', async () => {
    const { shares } = made()
    await commitShare(shares, wallet(), share(1))
    await commitShare(shares, wallet({ curve: 'ed25519', id: 'w3' }), share(2))
    await commitShare(shares, wallet({ userIdentityId: 'u2', id: 'w4' }), share(3))
    await wipeShares(shares, { organizationId: 'o1', userIdentityId: 'u1' })
    expect(await heldShares(shares, wallet())).toEqual([])
    expect(await heldShares(shares, wallet({ curve: 'ed25519', id: 'w3' }))).toEqual([])
    expect(await heldShares(shares, wallet({ userIdentityId: 'u2', id: 'w4' }))).toHaveLength(1)
  })

  test('offers of other keys of the user are dropped, committed shares and other users stay', async () => {
    const { shares, storage } = made()
    const other = wallet({ publicKey: new Uint8Array(33).fill(3) })
    await offerShare(shares, other, null, share(1))
    await offerShare(shares, { ...other, userIdentityId: 'u2' }, null, share(2))
    await offerShare(shares, wallet(), null, share(3))
    await commitShare(shares, { ...other, id: 'w9', userIdentityId: 'u3' }, share(4))
    await dropOtherOffers(shares, wallet())
    const left = (await storage.rows()).map((row) => row.user_identity_id)
    expect(left).toEqual(['u2', 'u1', 'u3'])
  })

  test('a row whose position was changed, or that lies where another was, does not open', async () => {
    const { shares, storage } = made()
    await commitShare(shares, wallet(), share(1))
    const [row] = await storage.rows()
    if (row === undefined) throw new Error('no row')
    const key = await storage.key()
    expect(await openShare(key, row)).toEqual(share(1))
    const changes: Partial<ShareRow>[] = [
      { id: 'another' },
      { organization_id: 'o2' },
      { user_identity_id: 'u2' },
      { curve: 'ed25519' },
      { public_key: '0x03' },
      { wallet_id: 'w2' },
      { wallet_id: null },
      { version: 2 },
      { version: null },
      { iv: new Uint8Array(12) },
      { ciphertext: new Uint8Array(row.ciphertext.length) },
    ]
    for (const change of changes) expect(await openShare(key, { ...row, ...change })).toBeUndefined()
    await storage.change({ put: [{ ...row, version: 2 }] })
    expect(await heldShares(shares, wallet({ polynomialVersion: 2 }))).toEqual([])
  })

  test('a row of another browser does not open', async () => {
    const [mine, theirs] = [made(), made()]
    await commitShare(theirs.shares, wallet(), share(1))
    await mine.storage.change({ put: await theirs.storage.rows() })
    expect(await heldShares(mine.shares, wallet())).toEqual([])
  })

  test('the bytes of a share are nowhere in its row', async () => {
    const { storage } = made()
    const position = {
      id: 'i',
      organization_id: 'o',
      user_identity_id: 'u',
      curve: 'ed25519',
      public_key: '0x',
      wallet_id: null,
      version: 1,
    }
    const secret = random(33)
    const row = await sealShare(await storage.key(), position, secret, random(12))
    expect(Buffer.from(row.ciphertext).includes(Buffer.from(secret.subarray(0, 8)))).toBe(false)
    expect(secret.some((byte) => byte !== 0)).toBe(true)
  })
})
