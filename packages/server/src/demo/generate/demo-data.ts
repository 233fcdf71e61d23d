import type { ShippingAddress } from '@keyfront/protocol';
export interface PlanetRow {
  readonly id: string;
  readonly number: number;
  readonly name: string;
  readonly description: string;
  readonly imageUrl: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface StrainRow {
  readonly id: string;
  readonly planetId: string;
  readonly name: string;
  readonly description: string;
  readonly type: 'INDICA' | 'SATIVA' | 'HYBRID';
  readonly thc: number;
  readonly cbd: number;
  readonly flavour: string;
  readonly feelings: string;
  readonly helpsWith: string;
  readonly retailPrice: string;
  readonly currency: string;
  readonly isAvailable: boolean;
  readonly imageUrl: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface StrainLocationRow {
  readonly strainId: string;
  readonly countryCode: string;
  readonly stockQuantity: number;
  readonly retailPrice: string | null;
  readonly currency: string | null;
}

export interface DeliveryChargeRow {
  readonly countryCode: string;
  readonly currency: string;
  readonly deliveryCharge: string;
  readonly freeFrom: string;
}

/** One client of the primary digital key for each outcome of a checkout. */
export interface DemoClientIds {
  /** Can order, and has a cart of strains in stock. */
  readonly ready: string;
  /** Waits for approval, with a filled cart. */
  readonly pending: string;
  /** Was rejected, with a filled cart. */
  readonly rejected: string;
  /** Can order, but has an empty cart. */
  readonly emptyCart: string;
}

export interface HolderRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly tokenIds: readonly number[];
  readonly primaryTokenId: number;
  readonly clientIds: DemoClientIds;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface DigitalKeyRow {
  readonly tokenId: number;
  readonly holderId: string;
  readonly planetId: string;
  readonly acquiredAt: string;
}

type Approval = 'PENDING' | 'VERIFIED' | 'REJECTED';

export interface ClientRow {
  readonly id: string;
  readonly tokenId: number;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phoneCode: string;
  readonly phoneCountryCode: string;
  readonly contactNumber: string;
  readonly shippingAddress1: string;
  readonly shippingAddress2: string;
  readonly shippingLandmark: string;
  readonly shippingCity: string;
  readonly shippingState: string;
  readonly shippingCountry: string;
  readonly shippingCountryCode: string;
  readonly shippingPostalCode: string;
  readonly adminApproval: Approval;
  readonly rejectionNote: string | null;
  readonly isKycVerified: boolean;
  readonly kycVerifiedAt: string | null;
  readonly isActive: boolean;
  readonly approvedAt: string | null;
  readonly rejectedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface CartRow {
  readonly id: string;
  readonly tokenId: number;
  readonly clientId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface CartItemRow {
  readonly cartId: string;
  readonly strainId: string;
  readonly tokenId: number;
  readonly quantity: number;
  readonly createdAt: string;
}

export interface OrderRow {
  readonly id: string;
  readonly tokenId: number;
  readonly clientId: string;
  readonly invoiceNumber: string;
  readonly orderStatus: 'PENDING' | 'PROCESSING' | 'SHIPPED' | 'DELIVERED' | 'CANCELLED';
  readonly paymentStatus: 'PENDING' | 'PROCESSING' | 'PAID' | 'FAILED' | 'REFUNDED';
  readonly adminApproval: Approval;
  readonly rejectionNote: string | null;
  readonly totalAmount: string;
  readonly deliveryCharge: string;
  readonly totalQuantity: number;
  readonly currency: string;
  readonly shipping: ShippingAddress;
  readonly stockReturnedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface OrderLineRow {
  readonly orderId: string;
  readonly lineNumber: number;
  readonly tokenId: number;
  readonly strainId: string;
  readonly strainName: string;
  readonly unitPrice: string;
  readonly quantity: number;
}

export interface SaleRow {
  readonly id: string;
  readonly tokenId: number;
  readonly clientId: string;
  readonly orderId: string | null;
  readonly stage: 'LEADS' | 'ONGOING' | 'CLOSED';
  readonly description: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface NftSaleRow {
  readonly id: string;
  readonly tokenId: number;
  readonly sellerId: string;
  readonly price: string;
  readonly currency: string;
  readonly state: 'DRAFT' | 'LISTED' | 'CANCELLED' | 'SOLD';
  /** In hexadecimal, without a prefix. */
  readonly listingSignature: string | null;
  readonly cancellationSignature: string | null;
  readonly expiresAt: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface TransactionRow {
  readonly id: string;
  readonly type: 'MINT' | 'TRANSFER' | 'LIST' | 'LIST_CANCEL' | 'SALE';
  readonly tokenId: number;
  /** The index of a holder, because wallets are created when the demo is inserted. */
  readonly fromHolder: number | null;
  readonly toHolder: number | null;
  readonly price: string | null;
  readonly currency: string | null;
  readonly saleId: string | null;
  readonly chainId: number | null;
  readonly txHash: string | null;
  readonly logIndex: number | null;
  readonly blockNumber: number | null;
  readonly origin: 'SIGNATURE' | 'CHAIN';
  readonly occurredAt: string;
}

export interface DemoData {
  readonly planets: readonly PlanetRow[];
  readonly strains: readonly StrainRow[];
  readonly strainLocations: readonly StrainLocationRow[];
  readonly deliveryCharges: readonly DeliveryChargeRow[];
  readonly holders: readonly HolderRow[];
  readonly digitalKeys: readonly DigitalKeyRow[];
  readonly clients: readonly ClientRow[];
  readonly carts: readonly CartRow[];
  readonly cartItems: readonly CartItemRow[];
  readonly orders: readonly OrderRow[];
  readonly orderLines: readonly OrderLineRow[];
  readonly sales: readonly SaleRow[];
  readonly nftSales: readonly NftSaleRow[];
  readonly transactions: readonly TransactionRow[];
}
