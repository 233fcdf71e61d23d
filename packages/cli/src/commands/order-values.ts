/** What the service knows; kept here so that the help and the completions can name it. */
export const orderStatuses = ['PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED'] as const;
export const paymentStatuses = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'REFUNDED'] as const;
export const approvals = ['PENDING', 'VERIFIED', 'REJECTED'] as const;
export const orderSearchFields = ['clientName', 'email', 'invoiceNumber'] as const;
export const chartIntervals = ['day', 'week', 'month'] as const;
