"""What belongs to one account: its hours, its data, its quotas."""
