// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

/// An operation as the EntryPoint v0.7 hands it to an account (ERC-4337).
struct PackedUserOperation {
    address sender;
    uint256 nonce;
    bytes initCode;
    bytes callData;
    bytes32 accountGasLimits;
    uint256 preVerificationGas;
    bytes32 gasFees;
    bytes paymasterAndData;
    bytes signature;
}

/// Stands in for Light Account v2.0.0 on the local chain: the same interface, errors and signature rules, gas of its own.
/// It is placed without a constructor, so all that a constructor would fix is a constant.
contract DevLightAccount {
    error ArrayLengthMismatch();
    error ECDSAInvalidSignature();
    error ECDSAInvalidSignatureLength(uint256 length);
    error ECDSAInvalidSignatureS(bytes32 s);
    error InvalidInitialization();
    error InvalidOwner(address owner);
    error InvalidSignatureType();
    error NotAuthorized(address caller);
    error UpgradeFailed();

    event LightAccountInitialized(address indexed entryPoint, address indexed owner);
    event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);
    event Upgraded(address indexed implementation);

    address private constant ENTRY_POINT = 0x0000000071727De22E5E9d8BAf0edAc6f37da032;
    address private constant IMPLEMENTATION = 0x8E8e658E22B12ada97B402fF0b044D6A325013C7;

    bytes32 private constant OWNER_SLOT = keccak256("symbolon.dev-light-account.owner");
    /// ERC-1967: keccak256("eip1967.proxy.implementation") - 1.
    bytes32 private constant IMPLEMENTATION_SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;

    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant MESSAGE_TYPEHASH = keccak256("LightAccountMessage(bytes message)");
    /// secp256k1n / 2: a higher s is the other form of the same signature (EIP-2).
    uint256 private constant S_MAX = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;

    bytes4 private constant ERC1271_VALID = 0x1626ba7e;
    bytes4 private constant ERC1271_INVALID = 0xffffffff;

    receive() external payable {}

    modifier onlyOwner() {
        if (msg.sender != owner() && msg.sender != address(this)) revert NotAuthorized(msg.sender);
        _;
    }

    modifier onlyOwnerOrEntryPoint() {
        if (msg.sender != ENTRY_POINT && msg.sender != owner() && msg.sender != address(this)) {
            revert NotAuthorized(msg.sender);
        }
        _;
    }

    function initialize(address firstOwner) external {
        if (owner() != address(0) || address(this) == IMPLEMENTATION) revert InvalidInitialization();
        if (firstOwner == address(0)) revert InvalidOwner(firstOwner);
        setOwner(firstOwner);
        emit LightAccountInitialized(ENTRY_POINT, firstOwner);
        emit OwnershipTransferred(address(0), firstOwner);
    }

    function entryPoint() external pure returns (address) {
        return ENTRY_POINT;
    }

    function owner() public view returns (address current) {
        bytes32 slot = OWNER_SLOT;
        assembly {
            current := sload(slot)
        }
    }

    function transferOwnership(address newOwner) external onlyOwnerOrEntryPoint {
        if (newOwner == address(0) || newOwner == address(this)) revert InvalidOwner(newOwner);
        emit OwnershipTransferred(owner(), newOwner);
        setOwner(newOwner);
    }

    function execute(address dest, uint256 value, bytes calldata func) external onlyOwnerOrEntryPoint {
        callOrRevert(dest, value, func);
    }

    function executeBatch(address[] calldata dest, bytes[] calldata func) external onlyOwnerOrEntryPoint {
        if (dest.length != func.length) revert ArrayLengthMismatch();
        for (uint256 i = 0; i < dest.length; ++i) callOrRevert(dest[i], 0, func[i]);
    }

    function executeBatch(address[] calldata dest, uint256[] calldata value, bytes[] calldata func)
        external
        onlyOwnerOrEntryPoint
    {
        if (dest.length != func.length || dest.length != value.length) revert ArrayLengthMismatch();
        for (uint256 i = 0; i < dest.length; ++i) callOrRevert(dest[i], value[i], func[i]);
    }

    /// 0 for the owner's signature, 1 for somebody else's (ERC-4337); a malformed one reverts.
    function validateUserOp(PackedUserOperation calldata userOp, bytes32 userOpHash, uint256 missingAccountFunds)
        external
        returns (uint256 validationData)
    {
        if (msg.sender != ENTRY_POINT) revert NotAuthorized(msg.sender);
        bytes32 signed = keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", userOpHash));
        validationData = isOwnerSignature(signed, userOp.signature) ? 0 : 1;
        if (missingAccountFunds > 0) {
            // The EntryPoint checks what it got.
            (bool ignored,) = payable(msg.sender).call{value: missingAccountFunds}("");
            ignored;
        }
    }

    function domainSeparator() public view returns (bytes32) {
        return keccak256(
            abi.encode(DOMAIN_TYPEHASH, keccak256("LightAccount"), keccak256("2"), block.chainid, address(this))
        );
    }

    function getMessageHash(bytes memory message) public view returns (bytes32) {
        bytes32 structHash = keccak256(abi.encode(MESSAGE_TYPEHASH, keccak256(message)));
        return keccak256(abi.encodePacked("\x19\x01", domainSeparator(), structHash));
    }

    /// ERC-1271 over the hash wrapped in this account's domain, so that no signature counts for a second account.
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        return isOwnerSignature(getMessageHash(abi.encode(hash)), signature) ? ERC1271_VALID : ERC1271_INVALID;
    }

    function getNonce() external view returns (uint256) {
        return IEntryPoint(ENTRY_POINT).getNonce(address(this), 0);
    }

    function getDeposit() external view returns (uint256) {
        return IEntryPoint(ENTRY_POINT).balanceOf(address(this));
    }

    function addDeposit() external payable {
        IEntryPoint(ENTRY_POINT).depositTo{value: msg.value}(address(this));
    }

    function withdrawDepositTo(address payable to, uint256 amount) external onlyOwner {
        IEntryPoint(ENTRY_POINT).withdrawTo(to, amount);
    }

    function proxiableUUID() public pure returns (bytes32) {
        return IMPLEMENTATION_SLOT;
    }

    function upgradeToAndCall(address implementation, bytes calldata data) external payable onlyOwnerOrEntryPoint {
        (bool ok, bytes memory answer) = implementation.staticcall(abi.encodeCall(this.proxiableUUID, ()));
        if (!ok || answer.length != 32 || bytes32(answer) != IMPLEMENTATION_SLOT) revert UpgradeFailed();
        bytes32 slot = IMPLEMENTATION_SLOT;
        assembly {
            sstore(slot, implementation)
        }
        emit Upgraded(implementation);
        if (data.length > 0) {
            (ok, answer) = implementation.delegatecall(data);
            if (!ok) bubble(answer);
        }
    }

    function onERC721Received(address, address, uint256, bytes calldata) external pure returns (bytes4) {
        return this.onERC721Received.selector;
    }

    function onERC1155Received(address, address, uint256, uint256, bytes calldata) external pure returns (bytes4) {
        return this.onERC1155Received.selector;
    }

    function onERC1155BatchReceived(address, address, uint256[] calldata, uint256[] calldata, bytes calldata)
        external
        pure
        returns (bytes4)
    {
        return this.onERC1155BatchReceived.selector;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        // ERC-165, ERC-721 receiver, ERC-1155 receiver.
        return id == 0x01ffc9a7 || id == 0x150b7a02 || id == 0x4e2312e0;
    }

    /// The first byte is the type: 0x00 a key's signature over the digest, 0x01 one that the owner contract checks.
    function isOwnerSignature(bytes32 digest, bytes calldata signature) private view returns (bool) {
        if (signature.length == 0) revert InvalidSignatureType();
        if (signature[0] == 0x00) return recover(digest, signature[1:]) == owner();
        if (signature[0] == 0x01) {
            (bool ok, bytes memory answer) =
                owner().staticcall(abi.encodeCall(this.isValidSignature, (digest, signature[1:])));
            return ok && answer.length >= 32 && bytes4(answer) == ERC1271_VALID;
        }
        revert InvalidSignatureType();
    }

    function recover(bytes32 digest, bytes calldata signature) private pure returns (address signer) {
        if (signature.length != 65) revert ECDSAInvalidSignatureLength(signature.length);
        bytes32 s = bytes32(signature[32:64]);
        if (uint256(s) > S_MAX) revert ECDSAInvalidSignatureS(s);
        signer = ecrecover(digest, uint8(signature[64]), bytes32(signature[0:32]), s);
        if (signer == address(0)) revert ECDSAInvalidSignature();
    }

    function setOwner(address newOwner) private {
        bytes32 slot = OWNER_SLOT;
        assembly {
            sstore(slot, newOwner)
        }
    }

    function callOrRevert(address to, uint256 value, bytes calldata data) private {
        (bool ok, bytes memory answer) = to.call{value: value}(data);
        if (!ok) bubble(answer);
    }

    function bubble(bytes memory reason) private pure {
        assembly {
            revert(add(reason, 32), mload(reason))
        }
    }
}

interface IEntryPoint {
    function getNonce(address sender, uint192 key) external view returns (uint256);
    function balanceOf(address account) external view returns (uint256);
    function depositTo(address account) external payable;
    function withdrawTo(address payable to, uint256 amount) external;
}
