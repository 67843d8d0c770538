"""Salt's own filters, by what they are about; ``serializers.py`` has those that serialize."""
