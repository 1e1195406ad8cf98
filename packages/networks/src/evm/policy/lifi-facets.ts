type Facet = readonly [bridge: string, data: string]

/** Bridges of LI.FI's diamond that bring what they are given to the receiver of the bridge data, with the types of what each takes beside it. */
const bridges: readonly Facet[] = [
  ['Across', '(int64,uint32,bytes,uint256)'],
  ['AcrossV4', '(bytes32,bytes32,bytes32,bytes32,uint256,uint128,bytes32,uint32,uint32,uint32,bytes)'],
  ['AllBridge', '(bytes32,uint256,bytes32,uint256,uint8,bool)'],
  ['Amarok', '(bytes,address,uint256,uint256,address,uint32,bool)'],
  ['ArbitrumBridge', '(uint256,uint256,uint256)'],
  ['CelerCircleBridge', '(uint256,uint32)'],
  [
    'Chainflip',
    '(bytes,uint32,address,(address,address,address,address,uint256,bytes,bool)[],uint256,bytes)',
  ],
  ['CircleBridge', '(uint32)'],
  ['DeBridge', '(uint256,bool,uint32,(uint256,uint256,bytes,bytes))'],
  ['DeBridgeDln', '(bytes,bytes,bytes,uint256)'],
  ['Eco', '(bytes,address,uint64,bytes,bytes32,address)'],
  ['Frax', '(address,uint32,uint256,address,bytes32)'],
  ['Glacis', '(bytes32,address,uint256,bytes32)'],
  ['GnosisBridge', ''],
  ['Hyphen', ''],
  [
    'LiFiIntentEscrowV2',
    '(bytes32,bytes32,address,uint256,uint32,uint32,address,bytes32,bytes32,bytes32,uint128,(address,address,address,address,uint256,bytes,bool)[],bytes)',
  ],
  ['MakerTeleport', ''],
  ['Mayan', '(bytes32,address,bytes,address,bytes,address,uint256,address,uint256)'],
  ['MegaETHBridge', '(address,uint32,bool)'],
  ['Multichain', '(address)'],
  [
    'NXTP',
    '((address,address,address,address,address,address,address,address,address,uint256,uint256,bytes32,bytes32),uint256,bytes,bytes,bytes,bytes)',
  ],
  ['OmniBridge', ''],
  ['OptimismBridge', '(address,uint32,bool)'],
  [
    'PaxosTransit',
    '(((bytes32,uint64,address,uint256,(address,uint256)[],(address,bytes)[]),uint256,address,uint256,uint256,address,bytes32,uint256,bytes32),bytes,uint256,address)',
  ],
  ['PolygonBridge', ''],
  ['PolymerCCTP', '(uint256,uint256,bytes32,bytes32,uint32,address,bytes)'],
  ['Stargate', '(uint16,(uint32,bytes32,uint256,uint256,bytes,bytes,bytes),(uint256,uint256),address)'],
  ['Stargate', '(uint256,uint256,uint256,uint256,uint256,address,bytes,bytes)'],
  [
    'Symbiosis',
    '(address,bytes32,bytes,bytes,address,address,address[],address,bytes,bool,address,address,bytes,uint256,uint256,bytes)',
  ],
  ['SynapseBridge', '((address,address,uint256,uint256,bytes),(address,address,uint256,uint256,bytes))'],
  ['Wormhole', '(bytes32,uint256,uint32)'],
  ['XDaiBridge', ''],
]

/** Those that take the receiver a second time, in a memo, an order or call data of another service that nobody compares. */
const services: readonly Facet[] = [
  ['AcrossV4Swap', '(uint8,bytes,bytes)'],
  ['Garden', '(address,address,uint256,bytes32,bytes32)'],
  ['GasZip', '(bytes32,uint256)'],
  ['LIFuel', ''],
  ['LayerSwap', '(bytes32,address,address,bytes32,bytes,uint256)'],
  ['NEARIntents', '(bytes32,address,bytes32,uint256,uint256,address,bytes)'],
  ['RelayDepository', '(bytes32,address)'],
  ['Squid', '(uint8,string,string,string,address,(address,bytes)[],bytes,uint256,bool)'],
  ['Superset', '(bytes,uint256,address,address,uint256,uint32,bytes,uint256)'],
  ['ThorSwap', '(address,string,uint256)'],
  ['Unit', '(address,bytes,uint256)'],
]

const bridgeData = '(bytes32,string,string,address,address,address,uint256,uint256,bool,bool)'
const swapData = '(address,address,address,address,uint256,bytes,bool)'

const methodsOf = (facets: readonly Facet[]): readonly string[] =>
  facets.flatMap(([bridge, data]) => {
    const tail = data === '' ? '' : `,${data}`
    return [
      `startBridgeTokensVia${bridge}(${bridgeData}${tail})`,
      `swapAndStartBridgeTokensVia${bridge}(${bridgeData},${swapData}[]${tail})`,
    ]
  })

/** The methods of LI.FI that begin with bridge data, which says who the receiver is; what follows may name others. */
export const lifiBridges: readonly string[] = methodsOf([...bridges, ...services])

const swapHead = 'bytes32,string,string,address,uint256'

/** The swaps of LI.FI: transaction id, integrator, referrer, receiver, minimum, what is swapped. */
export const lifiSwaps: readonly string[] = [
  `swapTokensGeneric(${swapHead},${swapData}[])`,
  ...['ERC20ToERC20', 'ERC20ToNative', 'NativeToERC20'].flatMap((pair) => [
    `swapTokensSingleV3${pair}(${swapHead},${swapData})`,
    `swapTokensMultipleV3${pair}(${swapHead},${swapData}[])`,
  ]),
]
